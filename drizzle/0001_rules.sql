-- Rules that hold whoever writes: they live in the database, not in the callers' discipline.

-- Every change of a product marks it dirty for every index that is served or being built.
create function mirror_mark_dirty(item_ids bigint[]) returns void language sql as $$
  insert into mirror as m (index_uid, item_id, want, dirty_since, next_at)
  select i.index_uid, t.item_id, 1, clock_timestamp(), clock_timestamp()
  from (select distinct unnest(item_ids) as item_id order by 1) t
  cross join mirror_index i
  where i.state in ('building', 'serving')
  on conflict (index_uid, item_id) do update set
    want = m.want + 1,
    dirty_since = case when m.want = m.done then excluded.dirty_since else m.dirty_since end,
    next_at = excluded.next_at,
    attempts = 0,
    parked_at = null,
    error = null
$$;
--> statement-breakpoint
create function product_inserted() returns trigger language plpgsql as $$
begin
  perform mirror_mark_dirty(array(select item_id from new_rows));
  return null;
end $$;
--> statement-breakpoint
create function product_updated() returns trigger language plpgsql as $$
begin
  perform mirror_mark_dirty(array(
    select n.item_id from new_rows n join old_rows o using (item_id) where n.ver <> o.ver));
  return null;
end $$;
--> statement-breakpoint
create trigger product_inserted after insert on product
  referencing new table as new_rows for each statement execute function product_inserted();
--> statement-breakpoint
create trigger product_updated after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function product_updated();
--> statement-breakpoint
-- A shop's name is searched together with its products.
create function shop_renamed() returns trigger language plpgsql as $$
begin
  perform mirror_mark_dirty(array(select item_id from product where shop_id = new.shop_id and state <> 'gone'));
  return null;
end $$;
--> statement-breakpoint
create trigger shop_renamed after update on shop for each row
  when (old.shop_name is distinct from new.shop_name) execute function shop_renamed();
--> statement-breakpoint
-- History is written once.
create function history_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'price_interval is append-only';
end $$;
--> statement-breakpoint
create trigger price_interval_append_only before update or delete on price_interval
  for each row execute function history_is_append_only();

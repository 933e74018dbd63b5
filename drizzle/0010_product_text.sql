-- Searches without the search engine. Not pg_trgm: where the database's LC_CTYPE is C, as ours is, it
-- takes nothing from Japanese text, and a word of two characters (財布) has no trigram anyway.

create function fold_text(text text) returns text language sql immutable parallel safe as $$
  select lower(normalize(text, NFKC))
$$;
--> statement-breakpoint
create function text_grams(body text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select chars[i] || coalesce(chars[i + 1], '') as gram
    from (select string_to_array(body, null) as chars) c, generate_series(1, cardinality(chars) - 1) i
    union all
    select char from unnest(string_to_array(body, null)) char where ascii(char) > 127
  ) grams
$$;
--> statement-breakpoint
create function write_product_text(item_ids bigint[]) returns void language sql as $$
  insert into product_text (item_id, body, grams)
  select item_id, body, text_grams(body)
  from (
    select p.item_id, fold_text(concat_ws(' / ', left(p.title, 1000),
      (select string_agg(left(c, 200), ' / ') from jsonb_array_elements_text(p.categories) c), left(s.shop_name, 200))) as body
    from product p join shop s using (shop_id)
    where p.item_id = any (item_ids)
    order by p.item_id
  ) texts
  on conflict (item_id) do update set body = excluded.body, grams = excluded.grams
    where product_text.body <> excluded.body
$$;
--> statement-breakpoint
create or replace function product_inserted() returns trigger language plpgsql as $$
begin
  perform mirror_mark_dirty(array(select item_id from new_rows));
  perform write_product_text(array(select item_id from new_rows));
  return null;
end $$;
--> statement-breakpoint
-- The document of the search index also tells the popularity, which is no content and raises no version.
create or replace function product_updated() returns trigger language plpgsql as $$
declare
  renamed bigint[];
begin
  perform mirror_mark_dirty(array(
    select n.item_id from new_rows n join old_rows o using (item_id)
    where n.ver <> o.ver or n.popularity <> o.popularity));
  renamed := array(
    select n.item_id from new_rows n join old_rows o using (item_id)
    where n.title <> o.title or n.categories <> o.categories or n.shop_id <> o.shop_id);
  if cardinality(renamed) > 0 then
    perform write_product_text(renamed);
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function shop_renamed() returns trigger language plpgsql as $$
begin
  perform mirror_mark_dirty(array(select item_id from product where shop_id = new.shop_id and state <> 'gone'));
  perform write_product_text(array(select item_id from product where shop_id = new.shop_id and state <> 'gone'));
  return null;
end $$;
--> statement-breakpoint
select write_product_text(array(select item_id from product));

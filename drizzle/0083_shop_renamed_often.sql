-- Products follow the first new name of a shop at once. One that comes less than six hours after another waits: where each
-- answer shows another name, all products of the shop would be written again and again. The clock of the answers tells how
-- long after; `attempts` other than 0 has the row wait until `next_at`.
create or replace function shop_renamed() returns trigger language plpgsql as $$
declare
  is_soon boolean := coalesce(old.renamed_at between new.renamed_at - interval '6 h' and new.renamed_at, false);
  due_at timestamptz := clock_timestamp() + case when is_soon then interval '6 h' else interval '0' end;
begin
  insert into shop_rename as r (shop_id, renamed_at, next_at, attempts)
  values (new.shop_id, due_at, due_at, is_soon::int)
  on conflict (shop_id) do update set again = r.again or r.after_id > 0;
  return null;
end $$;

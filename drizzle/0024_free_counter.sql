-- A transaction that stays open keeps the one row it counts in. Another takes a row that is free, and waits
-- for one only where all are taken: chosen by the process, one in sixteen met the row of the open one.
create or replace function count_products(delta bigint) returns void language sql as $$
  update catalogue_size set products = products + delta
  where delta <> 0 and slot = coalesce(
    (select slot from catalogue_size where delta <> 0 order by slot for update skip locked limit 1),
    pg_backend_pid() % 16)
$$;

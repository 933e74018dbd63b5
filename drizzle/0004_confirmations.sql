-- When prices were confirmed. An interval of price_interval says where a value begins and ends; that
-- nobody looked in between is known only from here.

create function marketplace_timezone() returns text language sql stable as $$
  select coalesce((select value #>> '{}' from public.setting where key = 'timezone'), 'Asia/Tokyo')
$$;
--> statement-breakpoint
-- One row a product and month: the last confirmation of each calendar day, ascending. A row a product
-- and day would take eight times the room.
create table confirmation (
  month date not null,
  item_id bigint not null,
  moments timestamp (3) with time zone[] not null,
  primary key (item_id, month)
) partition by range (month);
--> statement-breakpoint
-- Months that housekeeping has not prepared yet.
create table confirmation_unsorted partition of confirmation default;
--> statement-breakpoint
-- Gives every month that has rows, and those up to `through`, a partition of its own.
create function prepare_confirmation_months(through date) returns void language plpgsql as $$
declare
  starts date;
  name text;
begin
  lock table confirmation_unsorted in access exclusive mode;
  for starts in
    select distinct month from confirmation_unsorted
    union select m::date from generate_series(date_trunc('month', through) - interval '1 month',
      date_trunc('month', through), interval '1 month') m
    order by 1
  loop
    name := 'confirmation_' || to_char(starts, 'YYYY_MM');
    continue when to_regclass('public.' || name) is not null;
    -- The room left in each page lets a day's confirmation replace its row without touching the index.
    execute format('create table public.%I (like public.confirmation including all) with (fillfactor = 70)', name);
    execute format('with moved as (delete from public.confirmation_unsorted where month = %L returning *)
      insert into public.%I select * from moved', starts, name);
    execute format('alter table public.confirmation attach partition public.%I for values from (%L) to (%L)',
      name, starts, (starts + interval '1 month')::date);
  end loop;
end $$;
--> statement-breakpoint
create function remember_confirmations(item_ids bigint[], checked timestamptz[]) returns void language plpgsql as $$
declare
  zone text := marketplace_timezone();
begin
  insert into confirmation as c (month, item_id, moments)
  select date_trunc('month', t.at at time zone zone)::date, t.item_id, array[t.at]
  from unnest(item_ids, checked) as t(item_id, at)
  order by 1, 2
  on conflict (item_id, month) do update set moments = case
    when (c.moments[cardinality(c.moments)] at time zone zone)::date = (excluded.moments[1] at time zone zone)::date
    then c.moments[:cardinality(c.moments) - 1] else c.moments end || excluded.moments;
end $$;
--> statement-breakpoint
create function product_first_checked() returns trigger language plpgsql as $$
begin
  perform remember_confirmations(array_agg(item_id), array_agg(checked_at)) from new_rows having count(*) > 0;
  return null;
end $$;
--> statement-breakpoint
create function product_checked_again() returns trigger language plpgsql as $$
begin
  perform remember_confirmations(array_agg(n.item_id), array_agg(n.checked_at))
  from new_rows n join old_rows o using (item_id) where n.checked_at > o.checked_at having count(*) > 0;
  return null;
end $$;
--> statement-breakpoint
create trigger product_first_checked after insert on product
  referencing new table as new_rows for each statement execute function product_first_checked();
--> statement-breakpoint
create trigger product_checked_again after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function product_checked_again();
--> statement-breakpoint
-- What is known of products stored before this migration.
insert into confirmation (month, item_id, moments)
select date_trunc('month', checked_at at time zone marketplace_timezone())::date, item_id, array[checked_at]
from product;
--> statement-breakpoint
-- Sums of the ledger, made before its rows are dropped, and kept for ever.
create table call_day (
  day date not null,
  purpose text not null,
  operation text not null,
  job text not null,
  outcome text not null,
  calls integer not null,
  asked bigint not null,
  returned bigint not null,
  created bigint not null,
  changed bigint not null,
  unchanged bigint not null,
  gone bigint not null,
  quarantined bigint not null,
  duplicates bigint not null,
  duration_ms bigint not null,
  primary key (day, purpose, operation, job, outcome)
);
--> statement-breakpoint
-- What became of each shop's prices and stock, day by day: a year of it is read in milliseconds.
create table shop_day (
  day date not null,
  shop_id text not null,
  new_products integer not null,
  changes integer not null,
  drops integer not null,
  drops_5 integer not null,
  rises integer not null,
  sold_out integer not null,
  restocked integer not null,
  glitches integer not null,
  primary key (day, shop_id)
);
--> statement-breakpoint
-- Sums of the confirmations whose month is dropped.
create table confirmation_month (
  month date not null,
  shop_id text not null,
  products integer not null,
  product_days bigint not null,
  primary key (month, shop_id)
);
--> statement-breakpoint
-- The rows of one product lie far apart, for they are written in the order of time: with their values in the
-- key's index a product's history is read from two pages instead of a hundred.
alter table price_interval drop constraint price_interval_item_id_first_seen_pk;
--> statement-breakpoint
alter table price_interval add constraint price_interval_item_id_first_seen_pk
  primary key (item_id, first_seen) include (price, proper_price, stock, prev_confirmed_at);
--> statement-breakpoint
-- And a few pages of summaries find the rows of any day.
create index price_interval_first_seen on price_interval using brin (first_seen) with (pages_per_range = 16, autosummarize = on);
--> statement-breakpoint
revoke execute on function mirror_mark_dirty(bigint[]), marketplace_timezone(), prepare_confirmation_months(date),
  remember_confirmations(bigint[], timestamptz[]) from public;

-- online
create table if not exists archived_low (
  item_id bigint primary key not null,
  price bigint not null,
  first_seen timestamp (3) with time zone not null
);
--> statement-breakpoint
-- The tables as they are become the first partition of their own successors, up to a month that no row has
-- reached. Constraints that are checked while others write prove it, so that nothing is read under a lock.
do $$
declare
  until text;
begin
  if not exists (select from pg_constraint where conname = 'price_interval_first') then
    select date_trunc('month', greatest(max(first_seen), now() + interval '45 days')) + interval '1 month'
      into until from price_interval;
    execute format('alter table price_interval add constraint price_interval_first
      check (first_seen < %L) not valid', until);
  end if;
end $$;
--> statement-breakpoint
do $$
declare
  until text;
begin
  if not exists (select from pg_constraint where conname = 'api_call_first') then
    select (date_trunc('month', greatest(max(day), now() + interval '45 days')) + interval '1 month')::date
      into until from api_call;
    execute format('alter table api_call add constraint api_call_first check (day < %L) not valid', until);
  end if;
end $$;
--> statement-breakpoint
alter table price_interval validate constraint price_interval_first;
--> statement-breakpoint
alter table api_call validate constraint api_call_first;
--> statement-breakpoint
drop index concurrently if exists api_call_id_day;
--> statement-breakpoint
create unique index concurrently api_call_id_day on api_call (id, day);
--> statement-breakpoint
create temp table dependent_view on commit drop as
  select distinct c.oid::regclass::text as name, pg_get_viewdef(c.oid) as body
  from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class c on c.oid = r.ev_class
  where d.classid = 'pg_rewrite'::regclass and c.relkind = 'v'
    and d.refobjid in ('price_interval'::regclass, 'api_call'::regclass);
-- Readers of a view lock it before its tables. This locks the views alone and changes nothing; a reader who
-- has locked them in another order is not made to wait until one of us is ended.
set local lock_timeout = '100ms';
do $$
declare
  dependent record;
begin
  for dependent in select * from dependent_view order by name loop
    execute format('alter view %s reset (security_barrier)', dependent.name);
  end loop;
end $$;
set local lock_timeout = '1500ms';
-- Writers lock them in this order too.
lock table price_interval, api_call in access exclusive mode;

alter table price_interval rename to price_interval_first;
alter table price_interval_first drop constraint price_interval_item_id_product_item_id_fk;
alter table price_interval_first rename constraint price_interval_item_id_first_seen_pk to price_interval_first_pkey;
alter index price_interval_first_seen rename to price_interval_first_seen_first;
alter index price_interval_newest_drop rename to price_interval_newest_drop_first;
alter index price_interval_biggest_drop rename to price_interval_biggest_drop_first;
drop trigger price_interval_append_only on price_interval_first;
create table price_interval (like price_interval_first) partition by range (first_seen);
alter table price_interval add constraint price_interval_item_id_first_seen_pk
  primary key (item_id, first_seen) include (price, proper_price, stock, prev_confirmed_at);
create index price_interval_first_seen on price_interval using brin (first_seen)
  with (pages_per_range = 16, autosummarize = on);
create index price_interval_newest_drop on price_interval (first_seen, item_id)
  where price < prev_price and price > 0;
create index price_interval_biggest_drop on price_interval
  (((prev_price - price) * 100 / nullif(prev_price, 0)), first_seen) where price < prev_price and price > 0;

alter table api_call rename to api_call_first;
alter table api_call_first drop constraint api_call_pkey;
alter table api_call_first add constraint api_call_first_pkey primary key using index api_call_id_day;
alter index api_call_day rename to api_call_day_first;
alter index api_call_reserved rename to api_call_reserved_first;
alter index api_call_forgettable rename to api_call_forgettable_first;
create table api_call (like api_call_first including defaults) partition by range (day);
alter table api_call add constraint api_call_pkey primary key (id, day);
create index api_call_day on api_call (day, purpose);
create index api_call_reserved on api_call (reserved_at);
create index api_call_forgettable on api_call (finished_at, id)
  where coalesce(created, 0) = 0 and coalesce(changed, 0) = 0;
alter sequence api_call_id_seq owned by api_call.id;

-- Rows later than all months made so far go into the partition without an end.
do $$
declare
  parent text;
  until text;
  dependent record;
begin
  foreach parent in array array['price_interval', 'api_call'] loop
    select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1] into strict until
    from pg_constraint where conname = parent || '_first' and contype = 'c';
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
      parent, parent || '_first', until);
    execute format('create table %I partition of %I for values from (%L) to (maxvalue)',
      parent || '_later', parent, until);
    execute format('alter table %I drop constraint %I', parent || '_first', parent || '_first');
  end loop;
  -- A view stays with the renamed table.
  for dependent in select * from dependent_view loop
    execute format('create or replace view %s as %s', dependent.name, dependent.body);
  end loop;
end $$;
create trigger price_interval_append_only before update or delete on price_interval
  for each row execute function history_is_append_only();

-- Archived intervals are no reason to call a product unseen, or a reduction judged.
create or replace function analytics.price_at(item_id bigint, at timestamptz) returns table (
  price bigint, proper_price bigint, stock bigint, glitch text, state text, confirmed boolean,
  first_seen timestamptz, last_confirmed timestamptz, nearest_confirmation timestamptz, distance interval)
language sql stable parallel safe
begin atomic
  select h.price, h.proper_price, h.stock, h.glitch,
    case when h.first_seen is null and (g.first_seen_at <= price_at.at) is not true then 'unseen'
      when g.gone_at <= price_at.at then 'gone'
      when c.same_day then 'confirmed'
      when price_at.at <= h.last_confirmed then 'between'
      else 'unknown' end,
    coalesce(c.same_day and (g.gone_at > price_at.at) is not false, false),
    h.first_seen, h.last_confirmed, n.confirmed_at,
    greatest(n.confirmed_at - price_at.at, price_at.at - n.confirmed_at)
  from analytics.marketplace m
  left join lateral (
    select x.* from analytics.price_history x
    where x.item_id = price_at.item_id and x.first_seen <= price_at.at order by x.first_seen desc limit 1
  ) h on true
  left join analytics.products g on g.item_id = price_at.item_id
  left join lateral (
    select bool_or((x.confirmed_at at time zone m.timezone)::date = (price_at.at at time zone m.timezone)::date)
      as same_day
    from analytics.confirmations x
    where x.item_id = price_at.item_id and x.confirmed_at between h.first_seen and h.last_confirmed
  ) c on true
  left join lateral (
    select x.confirmed_at from analytics.confirmations x where x.item_id = price_at.item_id
    order by greatest(x.confirmed_at - price_at.at, price_at.at - x.confirmed_at) limit 1
  ) n on true;
end;
create or replace view analytics.reductions as
select p.item_id, p.shop_id, p.price, p.proper_price,
  ((p.proper_price - p.price) * 100 / p.proper_price)::integer as percent,
  run.reduced_at, seen.low_30d, looks.longest_gap,
  case when run.since >= p.first_seen_at and run.since >= kept.since and seen.is_whole
      and looks.longest_gap <= interval '7 days'
    then p.price < seen.low_30d end as holds
from product p
cross join (
  select coalesce((select (value #>> '{}')::timestamptz from setting where key = 'history_from'), '-infinity') as since
) kept
cross join lateral (
  select r.reduced_at, r.reduced_at - interval '30 days' as since
  from (
    select (select min(f.first_seen) from price_interval f
      where f.item_id = p.item_id and f.first_seen > other.first_seen) as reduced_at
    from (
      select (select n.first_seen from (
        select i.first_seen, i.price from price_interval i
        where i.item_id = p.item_id order by i.first_seen desc limit 500
      ) n where n.price <> p.price order by n.first_seen desc limit 1) as first_seen
      offset 0
    ) other
    offset 0
  ) r
) run
cross join lateral (
  select min(n.price) filter (where n.price > 0 and n.last_confirmed >= run.since) as low_30d,
    array_agg(n.first_seen) || array_agg(n.last_confirmed) as ends, count(*) < 500 as is_whole
  from (
    select i.first_seen, i.price, lag(i.prev_confirmed_at) over (order by i.first_seen desc) as last_confirmed
    from price_interval i
    where i.item_id = p.item_id and i.first_seen <= run.reduced_at
      and i.first_seen >= coalesce((select max(f.first_seen) from price_interval f
        where f.item_id = p.item_id and f.first_seen <= run.since), '-infinity')
    order by i.first_seen desc limit 500
  ) n
) seen
cross join lateral (
  select max(l.at - l.before) as longest_gap from (
    select t.at, lag(t.at, 1, run.since) over (order by t.at) as before
    from (
      select unnest(seen.ends) as at
      union all
      select unnest(c.moments) from confirmation c
      where c.item_id = p.item_id
        and c.month >= date_trunc('month', run.since - interval '1 day')::date - 1
        and c.month <= date_trunc('month', run.reduced_at + interval '1 day')::date
    ) t
    where t.at between run.since and run.reduced_at
  ) l
) looks
where p.state <> 'gone' and p.price > 0 and p.proper_price > p.price;
comment on column analytics.reductions.holds is 'price is below low_30d. Null when the 30 days before were not looked at often enough: the product was first seen within them, longest_gap is above 7 days, or a part of their history is archived.';
comment on view analytics.price_lows is 'Lowest believed price of each product: four rows, one a period that ends now. Glitches and archived intervals are left out.';
comment on function analytics.price_at(bigint, timestamptz) is 'The value of a product at a moment, always one row. state: confirmed (this very value was seen on the calendar day of the moment), between (not confirmed on that day, but looks before and after agree), unknown (not confirmed: the value has changed since, or nobody has looked since, or the values are null because the history of that time is archived), gone (proven deleted by then), unseen (before the first look, or never seen: the values are null). price, proper_price, stock, glitch, first_seen and last_confirmed are of the interval begun last at that moment, as in price_history. confirmed: state is confirmed. nearest_confirmation: the recorded confirmation of the product nearest in time, before or after, null when never seen; distance: how far it lies, 0 at a confirmation.';

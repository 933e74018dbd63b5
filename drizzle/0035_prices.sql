CREATE TABLE "unit_price" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"content" double precision NOT NULL,
	"unit" text NOT NULL,
	"amount" double precision NOT NULL
);
--> statement-breakpoint
create view analytics.unit_prices as
select u.item_id, u.content, u.unit, u.amount as unit_price from unit_price u;
--> statement-breakpoint
-- What a product cost before its present price was first seen, and how often somebody looked. At most 500
-- intervals are read for each step. `offset 0` keeps Postgres from working out a value anew for each use.
create view analytics.reductions as
select p.item_id, p.shop_id, p.price, p.proper_price,
  ((p.proper_price - p.price) * 100 / p.proper_price)::integer as percent,
  run.reduced_at, seen.low_30d, looks.longest_gap,
  case when run.since >= p.first_seen_at and seen.is_whole and looks.longest_gap <= interval '7 days'
    then p.price < seen.low_30d end as holds
from product p
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
--> statement-breakpoint
comment on view analytics.unit_prices is 'What a unit costs: one row a product whose title and variations tell surely what the package holds. Products stored before this was read are added by the daily maintenance.';
--> statement-breakpoint
comment on column analytics.unit_prices.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.unit_prices.content is 'What the package holds in unit, all its parts together. Above 0, never null.';
--> statement-breakpoint
comment on column analytics.unit_prices.unit is 'g, ml or piece. Never null.';
--> statement-breakpoint
comment on column analytics.unit_prices.unit_price is 'Price of 100 g, 100 ml or 1 piece at the price last confirmed. Above 0, never null. Compare it within one unit.';
--> statement-breakpoint
comment on view analytics.reductions is 'One row a product that is not gone and whose price is below its proper price: whether it really costs less than before. Ask it for some products.';
--> statement-breakpoint
comment on column analytics.reductions.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.reductions.shop_id is 'The shop''s id, as in analytics.shops.';
--> statement-breakpoint
comment on column analytics.reductions.price is 'The price as last confirmed, which is judged. Above 0.';
--> statement-breakpoint
comment on column analytics.reductions.proper_price is 'The higher price that the shop compares with.';
--> statement-breakpoint
comment on column analytics.reductions.percent is 'Whole percent below proper_price, rounded down.';
--> statement-breakpoint
comment on column analytics.reductions.reduced_at is 'When the present price was first seen after another one; null when no other price has been seen among the newest 500 intervals.';
--> statement-breakpoint
comment on column analytics.reductions.low_30d is 'Lowest price above 0 that was confirmed in the 30 days before reduced_at; null when none was, or with reduced_at.';
--> statement-breakpoint
comment on column analytics.reductions.longest_gap is 'Longest time without a recorded confirmation from 30 days before reduced_at up to it; null with reduced_at.';
--> statement-breakpoint
comment on column analytics.reductions.holds is 'price is below low_30d. Null when the 30 days before were not looked at often enough: the product was first seen within them, or longest_gap is above 7 days.';

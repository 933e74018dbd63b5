-- Days are counted without the zone of the session, whose own clocks may change at midnight.
create or replace view analytics.price_daily as
select p.item_id, d.day, d.confirmed_at is not null as confirmed, d.confirmed_at,
  case when d.confirmed_at is not null then h.price end as price,
  case when d.confirmed_at is not null then h.proper_price end as proper_price,
  case when d.confirmed_at is not null then h.stock end as stock,
  case when d.confirmed_at is not null then h.glitch end as glitch,
  h.price as last_known_price
from product p
cross join analytics.marketplace m
cross join lateral (
  select g.day, c.confirmed_at
  from (
    select s::date as day from generate_series(
      (p.first_seen_at at time zone m.timezone)::date::timestamp,
      least(now(), p.deleted_at) at time zone m.timezone, interval '1 day') s
  ) g left join (
    select (x.confirmed_at at time zone m.timezone)::date as day, max(x.confirmed_at) as confirmed_at
    from analytics.confirmations x where x.item_id = p.item_id group by 1
  ) c using (day)
) d
left join lateral (
  select x.price, x.proper_price, x.stock, x.glitch from analytics.price_history x
  where x.item_id = p.item_id and x.first_seen < (d.day + 1)::timestamp at time zone m.timezone
  order by x.first_seen desc limit 1
) h on true;
--> statement-breakpoint
comment on view analytics.confirmations is 'One row a recorded confirmation of a product: the last of each calendar day, and the first and last of every value. Other looks of the same day, which showed the same value, are not kept. Ask it for some products: a range of confirmed_at alone reads them all. check_months has the sums.';

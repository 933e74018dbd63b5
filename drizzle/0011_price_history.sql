ALTER TABLE "price_interval" ADD COLUMN "prev_stock" bigint;--> statement-breakpoint
ALTER TABLE "price_interval" DISABLE TRIGGER "price_interval_append_only";--> statement-breakpoint
UPDATE "price_interval" i SET "prev_stock" = b.stock
FROM (
  SELECT item_id, first_seen, lag(stock) OVER (PARTITION BY item_id ORDER BY first_seen) AS stock FROM "price_interval"
) b
WHERE b.item_id = i.item_id AND b.first_seen = i.first_seen AND b.stock IS NOT NULL;--> statement-breakpoint
ALTER TABLE "price_interval" ENABLE TRIGGER "price_interval_append_only";
--> statement-breakpoint
-- Every expression looks up other rows only when it is asked for, and a glitch only where the price moved.
create view analytics.price_history as
select i.item_id, i.first_seen,
  case when i.first_seen = p.price_since then p.checked_at else (
    select next.prev_confirmed_at from price_interval next
    where next.item_id = i.item_id and next.first_seen > i.first_seen order by next.first_seen limit 1
  ) end as last_confirmed,
  i.first_seen = p.price_since as is_latest,
  i.price, i.proper_price, i.stock,
  i.prev_price as previous_price, i.prev_stock as previous_stock, i.prev_confirmed_at as previous_confirmed,
  coalesce(
    case when i.price = 0 then 'zero' end,
    case when i.price >= 100 * least(i.prev_price, p.price) or i.price * 100 <= greatest(i.prev_price, p.price) then (
      select case when (i.price >= 100 * t.usual or i.price * 100 <= t.usual) and t.own < interval '7 days'
        then 'hundredfold' end
      from (
        select (array_agg(h.price order by h.held desc, h.since))[1] as usual,
          sum(h.held) filter (where h.price = i.price) as own
        from (
          select x.price, min(x.first_seen) as since, sum(x.held) as held
          from (
            select y.price, y.first_seen,
              coalesce(lead(y.prev_confirmed_at) over (order by y.first_seen), p.checked_at) - y.first_seen as held
            from price_interval y where y.item_id = i.item_id and y.price > 0
          ) x group by x.price
        ) h
      ) t
    ) end,
    case when i.price <> i.prev_price and i.first_seen <> p.price_since then (
      select case when next.prev_confirmed_at = i.first_seen and next.price = i.prev_price then 'blip' end
      from price_interval next
      where next.item_id = i.item_id and next.first_seen > i.first_seen order by next.first_seen limit 1
    ) end
  ) as glitch
from price_interval i join product p on p.item_id = i.item_id;
--> statement-breakpoint
create view analytics.price_daily as
select p.item_id, d.day, d.confirmed_at is not null as confirmed, d.confirmed_at,
  case when d.confirmed_at is not null then h.price end as price,
  case when d.confirmed_at is not null then h.proper_price end as proper_price,
  case when d.confirmed_at is not null then h.stock end as stock,
  case when d.confirmed_at is not null then h.glitch end as glitch,
  h.price as last_known_price
from product p
cross join analytics.marketplace m
cross join lateral (
  select g.day::date as day, c.confirmed_at
  from generate_series((p.first_seen_at at time zone m.timezone)::date,
    (least(now(), p.gone_at) at time zone m.timezone)::date, interval '1 day') as g(day)
  left join (
    select (x.confirmed_at at time zone m.timezone)::date as day, max(x.confirmed_at) as confirmed_at
    from analytics.confirmations x where x.item_id = p.item_id group by 1
  ) c on c.day = g.day
) d
left join lateral (
  select x.price, x.proper_price, x.stock, x.glitch from analytics.price_history x
  where x.item_id = p.item_id and x.first_seen < (d.day + 1)::timestamp at time zone m.timezone
  order by x.first_seen desc limit 1
) h on true;
--> statement-breakpoint
create view analytics.price_lows as
select p.item_id, w.period, l.price, l.first_seen, l.last_confirmed, l.confirmations as low_confirmations,
  l.all_confirmations as confirmations, l.glitches
from product p
cross join (values ('all', null), ('1y', interval '365 days'), ('90d', interval '90 days'),
  ('30d', interval '30 days')) as w(period, span)
cross join lateral (
  with seen as (
    select h.price, h.glitch, greatest(h.first_seen, now() - w.span) as first_seen, h.last_confirmed,
      (select count(*) from analytics.confirmations c where c.item_id = p.item_id
        and c.confirmed_at between greatest(h.first_seen, now() - w.span) and h.last_confirmed) as confirmations
    from analytics.price_history h
    where h.item_id = p.item_id and (w.span is null or h.last_confirmed >= now() - w.span)
  )
  select min(s.price) as price,
    min(s.first_seen) filter (where s.price = low.price) as first_seen,
    max(s.last_confirmed) filter (where s.price = low.price) as last_confirmed,
    coalesce(sum(s.confirmations) filter (where s.price = low.price), 0)::bigint as confirmations,
    coalesce(sum(s.confirmations), 0)::bigint as all_confirmations,
    (select count(*) from seen g where g.glitch is not null) as glitches
  from seen s, (select min(x.price) as price from seen x where x.glitch is null) low
  where s.glitch is null
) l;
--> statement-breakpoint
create view analytics.price_drops as
select h.item_id, p.shop_id, h.first_seen as seen_at, h.previous_confirmed, h.previous_price, h.price,
  ((h.previous_price - h.price) * 100 / h.previous_price)::integer as percent,
  coalesce(h.glitch, (
    select 'recovery' from analytics.price_history x
    where x.item_id = h.item_id and x.first_seen = (
      select max(y.first_seen) from price_interval y where y.item_id = h.item_id and y.first_seen < h.first_seen)
    and x.glitch is not null)) as glitch,
  h.is_latest and p.state <> 'gone' as still_so
from analytics.price_history h join product p on p.item_id = h.item_id
where h.price < h.previous_price;
--> statement-breakpoint
create view analytics.sold_out as
select z.item_id, p.shop_id, z.prev_confirmed_at as last_in_stock, z.first_seen as first_sold_out,
  back.prev_confirmed_at as last_sold_out, back.first_seen as back_at,
  back.prev_confirmed_at - z.first_seen as at_least, back.first_seen - z.prev_confirmed_at as at_most,
  case when back.first_seen is not null then 'back' when p.state = 'gone' then 'gone' else 'open' end as outcome
from price_interval z join product p on p.item_id = z.item_id
left join lateral (
  select x.first_seen, x.prev_confirmed_at from price_interval x
  where x.item_id = z.item_id and x.first_seen > z.first_seen and x.stock > 0 order by x.first_seen limit 1
) back on true
where z.stock <= 0 and (z.prev_stock > 0 or z.prev_stock is null);
--> statement-breakpoint
create function analytics.price_at(item_id bigint, at timestamptz) returns table (
  price bigint, proper_price bigint, stock bigint, glitch text, state text, confirmed boolean,
  first_seen timestamptz, last_confirmed timestamptz, nearest_confirmation timestamptz, distance interval)
language sql stable parallel safe
begin atomic
  select h.price, h.proper_price, h.stock, h.glitch,
    case when h.first_seen is null then 'unseen'
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
--> statement-breakpoint
comment on view analytics.price_history is 'Value intervals: stretches in which every look showed the same price, proper price and stock. Between last_confirmed of one and first_seen of the next nothing is known. Within an interval days may lie on which nobody looked: price_daily tells. Ask it for some products, or for a range of first_seen.';
--> statement-breakpoint
comment on column analytics.price_history.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.price_history.first_seen is 'First confirmation of these values. Never null.';
--> statement-breakpoint
comment on column analytics.price_history.last_confirmed is 'Last confirmation of these values; of the latest interval the product''s checked_at. Never null.';
--> statement-breakpoint
comment on column analytics.price_history.is_latest is 'No other values have been seen since.';
--> statement-breakpoint
comment on column analytics.price_history.price is 'Price. Never null.';
--> statement-breakpoint
comment on column analytics.price_history.proper_price is 'List price shown; null when none.';
--> statement-breakpoint
comment on column analytics.price_history.stock is 'Pieces. Never null.';
--> statement-breakpoint
comment on column analytics.price_history.previous_price is 'Price of the interval before; null for the first.';
--> statement-breakpoint
comment on column analytics.price_history.previous_stock is 'Stock of the interval before; null for the first.';
--> statement-breakpoint
comment on column analytics.price_history.previous_confirmed is 'When the values before were last confirmed: the change happened after it and up to first_seen; null for the first interval.';
--> statement-breakpoint
comment on column analytics.price_history.glitch is 'Why the price is not believed; null: it is. zero: the price is 0. hundredfold: 100 times above or below the price held longest, and held under 7 days. blip: seen by one check only, with the same price before and after. Never deleted, left out of lows.';
--> statement-breakpoint
comment on view analytics.price_daily is 'One row a product and calendar day, from the day it was first seen to today (to the day it was proven gone). Ask it for some products.';
--> statement-breakpoint
comment on column analytics.price_daily.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.price_daily.day is 'Day of the marketplace''s calendar.';
--> statement-breakpoint
comment on column analytics.price_daily.confirmed is 'An answer showed the product on this day. False: not confirmed, nobody looked or it was not shown.';
--> statement-breakpoint
comment on column analytics.price_daily.confirmed_at is 'Last confirmation of the day; null when not confirmed.';
--> statement-breakpoint
comment on column analytics.price_daily.price is 'Price at confirmed_at; null when not confirmed.';
--> statement-breakpoint
comment on column analytics.price_daily.proper_price is 'List price at confirmed_at; null when not confirmed or none shown.';
--> statement-breakpoint
comment on column analytics.price_daily.stock is 'Pieces at confirmed_at; null when not confirmed.';
--> statement-breakpoint
comment on column analytics.price_daily.glitch is 'As in price_history; null when not confirmed or believed.';
--> statement-breakpoint
comment on column analytics.price_daily.last_known_price is 'Price last confirmed up to the end of the day, however long before: for lines in charts, not a statement about the day. Never null.';
--> statement-breakpoint
comment on view analytics.price_lows is 'Lowest believed price of each product: four rows, one a period that ends now. Glitches are left out.';
--> statement-breakpoint
comment on column analytics.price_lows.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.price_lows.period is 'all, 1y (365 days), 90d or 30d.';
--> statement-breakpoint
comment on column analytics.price_lows.price is 'Lowest price confirmed in the period; null when nothing was confirmed in it.';
--> statement-breakpoint
comment on column analytics.price_lows.first_seen is 'First confirmation of that price within the period; null with price.';
--> statement-breakpoint
comment on column analytics.price_lows.last_confirmed is 'Last confirmation of that price; null with price.';
--> statement-breakpoint
comment on column analytics.price_lows.low_confirmations is 'Recorded confirmations of that price in the period: how much the low rests on.';
--> statement-breakpoint
comment on column analytics.price_lows.confirmations is 'Recorded confirmations of any believed price in the period: the sample.';
--> statement-breakpoint
comment on column analytics.price_lows.glitches is 'Intervals of the period left out as glitches.';
--> statement-breakpoint
comment on view analytics.price_drops is 'One row each time a price was seen lower than before. Ask it for a range of seen_at, or for some products.';
--> statement-breakpoint
comment on column analytics.price_drops.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.price_drops.shop_id is 'The shop''s id, as in analytics.shops.';
--> statement-breakpoint
comment on column analytics.price_drops.seen_at is 'First confirmation of the lower price.';
--> statement-breakpoint
comment on column analytics.price_drops.previous_confirmed is 'Last confirmation of the higher price: the drop happened between the two. Never null.';
--> statement-breakpoint
comment on column analytics.price_drops.previous_price is 'The higher price.';
--> statement-breakpoint
comment on column analytics.price_drops.price is 'The lower price.';
--> statement-breakpoint
comment on column analytics.price_drops.percent is 'Whole percent it fell, rounded down.';
--> statement-breakpoint
comment on column analytics.price_drops.glitch is 'As in price_history; recovery: the price before was the glitch. Null: a believed drop.';
--> statement-breakpoint
comment on column analytics.price_drops.still_so is 'No other values have been seen since and the product is not gone.';
--> statement-breakpoint
comment on view analytics.sold_out is 'One row each time a product was seen with no stock after having had some (or when first seen). Ask it for a range of first_sold_out.';
--> statement-breakpoint
comment on column analytics.sold_out.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.sold_out.shop_id is 'The shop''s id, as in analytics.shops.';
--> statement-breakpoint
comment on column analytics.sold_out.last_in_stock is 'Last confirmation of stock before; null when it was sold out when first seen.';
--> statement-breakpoint
comment on column analytics.sold_out.first_sold_out is 'First confirmation of no stock.';
--> statement-breakpoint
comment on column analytics.sold_out.last_sold_out is 'Last confirmation of no stock before stock was seen again; null while it was not.';
--> statement-breakpoint
comment on column analytics.sold_out.back_at is 'First confirmation of stock afterwards; null while there was none.';
--> statement-breakpoint
comment on column analytics.sold_out.at_least is 'Time it was certainly sold out: first to last confirmation; null while not back.';
--> statement-breakpoint
comment on column analytics.sold_out.at_most is 'Longest it can have been: from last_in_stock to back_at; null while not back or when last_in_stock is null.';
--> statement-breakpoint
comment on column analytics.sold_out.outcome is 'back, open (still sold out as far as is known) or gone (the product was proven deleted).';
--> statement-breakpoint
comment on function analytics.price_at(bigint, timestamptz) is 'The value of a product at a moment, always one row. state: confirmed (this very value was seen on the calendar day of the moment), between (not confirmed on that day, but looks before and after agree), unknown (not confirmed: the value has changed since, or nobody has looked since), gone (proven deleted by then), unseen (before the first look, or never seen: the values are null). price, proper_price, stock, glitch, first_seen and last_confirmed are of the interval begun last at that moment, as in price_history. confirmed: state is confirmed. nearest_confirmation: the recorded confirmation of the product nearest in time, before or after, null when never seen; distance: how far it lies, 0 at a confirmation.';

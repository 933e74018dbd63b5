-- A price of 0 says that the shop states none: nothing is reduced to it, and no offer is cheapest by it.
create or replace view analytics.products as
select p.item_id, p.shop_id, s.shop_name, p.state, p.title, p.detail, p.price, p.proper_price,
  case when p.proper_price > p.price and p.price > 0
    then (p.proper_price - p.price) * 100 / p.proper_price else 0 end as discount_percent,
  p.stock, p.stock > 0 as in_stock, p.identifier,
  array(select distinct v.gtin from variation v where v.item_id = p.item_id and v.gtin is not null order by 1) as gtins,
  array(select jsonb_array_elements_text(p.categories)) as categories,
  p.images -> 0 ->> 'origin' as image_url,
  p.modified, p.first_seen_at, p.checked_at, now() - p.checked_at as age, p.changed_at, p.price_since, p.deleted_at as gone_at,
  c.rate_changes / nullif(c.rate_days, 0) as changes_per_day
from product p join shop s using (shop_id) left join product_schedule c on c.item_id = p.item_id;
--> statement-breakpoint
create or replace view analytics.offers as
select distinct on (v.gtin, p.shop_id) v.gtin, p.shop_id, p.item_id, p.title, p.price, p.proper_price,
  v.variation_stock as stock, v.variation_stock > 0 and p.stock > 0 as in_stock, p.checked_at, now() - p.checked_at as age,
  count(*) over (partition by v.gtin, p.shop_id)::integer as variations
from variation v join product p using (item_id)
where v.gtin is not null and p.state <> 'gone'
order by v.gtin, p.shop_id, v.variation_stock > 0 and p.stock > 0 desc, nullif(p.price, 0), p.item_id;
--> statement-breakpoint
-- Each half has an index, so that one shop is read without the others.
create or replace view analytics.shops as
select s.shop_id, s.shop_name, s.shop_url, s.first_seen_at, s.checked_at,
  coalesce(c.live, 0) as live, coalesce(c.missing, 0) as missing, coalesce(g.gone, 0) as gone,
  coalesce(c.in_stock, 0) as in_stock, c.oldest_check_at
from shop s left join (
  select shop_id, count(*) filter (where state = 'live') as live, count(*) filter (where state = 'missing') as missing,
    count(*) filter (where stock > 0) as in_stock, min(checked_at) as oldest_check_at
  from product where state <> 'gone' group by shop_id
) c using (shop_id) left join (
  select shop_id, count(*) as gone from product where state = 'gone' group by shop_id
) g using (shop_id);
--> statement-breakpoint
comment on column analytics.products.discount_percent is 'Whole percent below proper_price, rounded down; 0 when there is no proper_price, when it is not higher, or when price is 0.';
comment on view analytics.offers is 'One row a GTIN and shop: the shop''s cheapest offer, one in stock before one that is not, one with a price before one without (price 0). Products that are gone are left out. Ask it for some GTINs, or for a shop.';
comment on view analytics.products is 'One row a product ever seen, as last observed; gone ones stay. An index finds the products of a shop with state <> ''gone'', and those of a range of gone_at with state = ''gone''.';
comment on column analytics.calls.keyword_id is 'The keyword a search asked for, as in keyword_yield; null for refreshes.';
comment on column analytics.keyword_yield.enabled is 'Whether it is searched; false when it was paused or removed.';
--> statement-breakpoint
-- A stock that changes while the price is a hundred times off begins another interval, whose price is as wrong. No price
-- is held while the shop states none.
create or replace view analytics.price_history as
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
    case when i.price >= 100 * least(i.prev_price, p.price) or i.price * 100 <= greatest(i.prev_price, p.price)
      or i.price = i.prev_price and exists (
        select from price_interval x
        where x.item_id = i.item_id and x.first_seen >= i.first_seen - interval '30 days' and x.first_seen < i.first_seen
          and x.price = i.price and (x.price >= 100 * x.prev_price or x.price * 100 <= x.prev_price))
    then (
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
            from price_interval y where y.item_id = i.item_id
          ) x where x.price > 0 group by x.price
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
comment on column analytics.price_history.glitch is 'Why the price is not believed; null: it is. zero: the price is 0. hundredfold: 100 times above or below the price held longest, and one before it or the present one, and held under 7 days. blip: seen by one check only, with the same price before and after. Never deleted, left out of lows.';
comment on column analytics.price_daily.last_known_price is 'Price last confirmed up to the end of the day, however long before: for lines in charts, not a statement about the day. Null only where the history of that time is archived.';
comment on column analytics.price_daily.price is 'Price at confirmed_at; null when not confirmed or archived.';
--> statement-breakpoint
-- A period begins where nobody need have looked. The looks of a product are given to its values in one pass: one by one,
-- thousands of values took minutes.
create or replace view analytics.price_lows as
select p.item_id, w.period, l.price, l.first_seen, l.last_confirmed, l.confirmations as low_confirmations,
  l.all_confirmations as confirmations, l.glitches
from product p
cross join (values ('all', null), ('1y', interval '365 days'), ('90d', interval '90 days'),
  ('30d', interval '30 days')) as w(period, span)
cross join lateral (
  with spans as materialized (
    select h.price, h.glitch, h.first_seen, h.last_confirmed from analytics.price_history h
    where h.item_id = p.item_id and (w.span is null or h.last_confirmed >= now() - w.span)
  ), looks as (
    select t.at, t.is_look, max(t.since) over (order by t.at) as since
    from (
      select c.confirmed_at as at, true as is_look, null as since
      from analytics.confirmations c where c.item_id = p.item_id
      union all select s.first_seen, false, s.first_seen from spans s
    ) t
  ), seen as materialized (
    select s.price, s.glitch, s.last_confirmed, coalesce(min(k.at), s.last_confirmed) as first_seen,
      count(k.at) as confirmations
    from spans s left join looks k
      on k.since = s.first_seen and k.is_look and k.at <= s.last_confirmed and (w.span is null or k.at >= now() - w.span)
    group by s.price, s.glitch, s.first_seen, s.last_confirmed
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
-- Stock may change while the price stays.
create or replace view analytics.price_drops as
select h.item_id, p.shop_id, h.first_seen as seen_at, h.previous_confirmed, h.previous_price, h.price,
  ((h.previous_price - h.price) * 100 / h.previous_price)::integer as percent,
  coalesce(h.glitch, (
    select 'recovery' from analytics.price_history x
    where x.item_id = h.item_id and x.first_seen = (
      select max(y.first_seen) from price_interval y where y.item_id = h.item_id and y.first_seen < h.first_seen)
    and x.glitch is not null)) as glitch,
  p.state <> 'gone' and p.price = h.price and not exists (
    select from price_interval n
    where n.item_id = h.item_id and n.first_seen > h.first_seen and n.price <> h.price) as still_so
from analytics.price_history h join product p on p.item_id = h.item_id
where h.price < h.previous_price;
--> statement-breakpoint
comment on column analytics.price_drops.still_so is 'No other price has been seen since and the product is not gone.';
--> statement-breakpoint
-- What a clock that ran ahead has dated later than the present check was seen before it, and confirms nothing then.
create or replace function product_checked_again() returns trigger language plpgsql as $$
declare
  zone text := marketplace_timezone();
begin
  if exists (select from new_rows n join old_rows o using (item_id) where n.checked_at < o.checked_at) then
    delete from confirmation c using new_rows n join old_rows o using (item_id)
    where c.item_id = n.item_id and n.checked_at < o.checked_at
      and c.month > date_trunc('month', n.checked_at at time zone zone)::date;
    update confirmation c set moments = array(select m from unnest(c.moments) m where m < n.checked_at order by m)
    from new_rows n join old_rows o using (item_id)
    where c.item_id = n.item_id and n.checked_at < o.checked_at
      and c.month = date_trunc('month', n.checked_at at time zone zone)::date;
  end if;
  perform remember_confirmations(array_agg(n.item_id), array_agg(n.checked_at))
  from new_rows n join old_rows o using (item_id) where n.checked_at <> o.checked_at having count(*) > 0;
  return null;
end $$;

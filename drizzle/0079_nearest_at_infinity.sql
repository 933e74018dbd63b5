-- All confirmations are equally far from 'infinity': the last one is nearest to it, the first one to '-infinity'.
create or replace function analytics.price_at(item_id bigint, at timestamptz) returns table (
  price bigint, proper_price bigint, stock bigint, glitch text, state text, confirmed boolean,
  first_seen timestamptz, last_confirmed timestamptz, nearest_confirmation timestamptz, distance interval)
language sql stable parallel safe
begin atomic
  select h.price, h.proper_price, h.stock, h.glitch,
    case when h.first_seen is null and (g.first_seen_at <= price_at.at) is not true then 'unseen'
      when g.gone_at <= price_at.at or d.was_deleted then 'gone'
      when c.same_day then 'confirmed'
      when price_at.at <= h.last_confirmed then 'between'
      else 'unknown' end,
    coalesce(c.same_day and (g.gone_at > price_at.at) is not false and not d.was_deleted, false),
    h.first_seen, h.last_confirmed, n.confirmed_at,
    greatest(n.confirmed_at - price_at.at, price_at.at - n.confirmed_at)
  from analytics.marketplace m
  left join lateral (
    select x.* from analytics.price_history x
    where x.item_id = price_at.item_id and x.first_seen <= price_at.at order by x.first_seen desc limit 1
  ) h on true
  left join analytics.products g on g.item_id = price_at.item_id
  cross join lateral (
    select coalesce((select x.kind = 'deleted' and x.at > h.first_seen from analytics.product_changes x
      where x.item_id = price_at.item_id and x.kind in ('deleted', 'returned') and x.at <= price_at.at
      order by x.position desc limit 1), false) as was_deleted
  ) d
  left join lateral (
    select bool_or((x.confirmed_at at time zone m.timezone)::date = (price_at.at at time zone m.timezone)::date)
      as same_day
    from analytics.confirmations x
    where x.item_id = price_at.item_id and x.confirmed_at between h.first_seen and h.last_confirmed
  ) c on true
  left join lateral (
    select x.confirmed_at from analytics.confirmations x where x.item_id = price_at.item_id
    order by greatest(x.confirmed_at - price_at.at, price_at.at - x.confirmed_at),
      case when price_at.at = 'infinity' then x.confirmed_at end desc, x.confirmed_at limit 1
  ) n on true;
end;

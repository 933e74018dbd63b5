-- Days are counted without the zone of the session, whose own clocks may change at midnight. Where they go back over
-- midnight, a day begins at the first one.
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
    and (x.first_seen at time zone m.timezone)::date <= d.day
  order by x.first_seen desc limit 1
) h on true;
--> statement-breakpoint
comment on view analytics.confirmations is 'One row a recorded confirmation of a product: the last of each calendar day, and the first and last of every value. Other looks of the same day, which showed the same value, are not kept. Ask it for some products: a range of confirmed_at alone reads them all. check_months has the sums.';
--> statement-breakpoint
create or replace view analytics.products as
select p.item_id, p.shop_id, s.shop_name, p.state, p.title, p.detail, p.price, p.proper_price,
  case when p.proper_price > p.price and p.price > 0
    then (p.proper_price - p.price) * 100 / p.proper_price else 0 end as discount_percent,
  p.stock, p.stock > 0 as in_stock, p.identifier,
  array(select distinct v.gtin from variation v where v.item_id = p.item_id and v.gtin is not null order by 1) as gtins,
  array(select jsonb_array_elements_text(p.categories)) as categories,
  jsonb_path_query_first(p.images, '$[*].origin') #>> '{}' as image_url,
  p.modified, p.first_seen_at, p.checked_at, now() - p.checked_at as age, p.changed_at, p.price_since, p.deleted_at as gone_at,
  c.rate_changes / nullif(c.rate_days, 0) as changes_per_day, p.deletions
from product p join shop s using (shop_id) left join product_schedule c on c.item_id = p.item_id;
--> statement-breakpoint
comment on column analytics.products.deletions is 'How often it was proven deleted. Above 0 while state is not gone: it came back.';
--> statement-breakpoint
comment on column analytics.price_history.proper_price is 'List price that a search last showed by first_seen; null when none. Refreshes confirm price and stock alone.';
--> statement-breakpoint
comment on column analytics.price_daily.proper_price is 'List price known at confirmed_at, as in price_history; null when not confirmed or none shown.';
--> statement-breakpoint
-- As many categories as `toDocument` gives to the search engine: to fold 10,000 of them took seconds for each product.
create or replace function write_product_text(item_ids bigint[]) returns void language sql as $$
  insert into product_text (item_id, body, words, title_length, in_stock, popularity)
  select item_id, body, text_words(body), title_length, in_stock, popularity
  from (
    select p.item_id, fold_text(concat_ws(' / ', left(p.title, 1000),
        (select string_agg(left(c.name, 200), ' / ' order by c.nr)
          from jsonb_array_elements_text(p.categories) with ordinality c(name, nr) where c.nr <= 20),
        left(s.shop_name, 200), text_forms(left(p.title, 1000)))) as body,
      char_length(fold_text(left(p.title, 1000))) as title_length, p.stock > 0 as in_stock, p.popularity
    from product p join shop s using (shop_id)
    where p.item_id = any (item_ids) and p.state <> 'gone'
    order by p.item_id
  ) texts
  on conflict (item_id) do update set body = excluded.body, words = excluded.words,
      title_length = excluded.title_length, in_stock = excluded.in_stock, popularity = excluded.popularity
    where product_text.body <> excluded.body or product_text.words <> excluded.words
      or (product_text.in_stock, product_text.popularity) <> (excluded.in_stock, excluded.popularity)
$$;

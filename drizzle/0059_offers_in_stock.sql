-- A refresh shows the stock of a product, and not that of its variations, which are as of the last search.
create or replace view analytics.offers as
select distinct on (v.gtin, p.shop_id) v.gtin, p.shop_id, p.item_id, p.title, p.price, p.proper_price,
  v.variation_stock as stock, v.variation_stock > 0 and p.stock > 0 as in_stock, p.checked_at, now() - p.checked_at as age,
  count(*) over (partition by v.gtin, p.shop_id)::integer as variations
from variation v join product p using (item_id)
where v.gtin is not null and p.state <> 'gone'
order by v.gtin, p.shop_id, v.variation_stock > 0 and p.stock > 0 desc, p.price, p.item_id;
--> statement-breakpoint
comment on column analytics.offers.in_stock is 'stock > 0, and the product''s own stock was not 0 at checked_at.';

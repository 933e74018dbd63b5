-- The stable face for analysts: views and functions only. Days are those of the marketplace's calendar.
create schema analytics;
--> statement-breakpoint
-- A function called by a view runs with the reader's rights, which do not reach settings: hence no call.
create view analytics.marketplace as
select coalesce((select value #>> '{}' from setting where key = 'timezone'), 'Asia/Tokyo') as timezone;
--> statement-breakpoint
create view analytics.products as
select p.item_id, p.shop_id, s.shop_name, p.state, p.title, p.detail, p.price, p.proper_price,
  case when p.proper_price > p.price and p.price >= 0
    then (p.proper_price - p.price) * 100 / p.proper_price else 0 end as discount_percent,
  p.stock, p.stock > 0 as in_stock, p.identifier,
  array(select distinct v.gtin from variation v where v.item_id = p.item_id and v.gtin is not null order by 1) as gtins,
  array(select jsonb_array_elements_text(p.categories)) as categories,
  p.images -> 0 ->> 'origin' as image_url,
  p.modified, p.first_seen_at, p.checked_at, now() - p.checked_at as age, p.changed_at, p.price_since, p.gone_at,
  p.rate_changes / nullif(p.rate_days, 0) as changes_per_day
from product p join shop s using (shop_id);
--> statement-breakpoint
create view analytics.shops as
select s.shop_id, s.shop_name, s.shop_url, s.first_seen_at, s.checked_at,
  coalesce(c.live, 0) as live, coalesce(c.missing, 0) as missing, coalesce(c.gone, 0) as gone,
  coalesce(c.in_stock, 0) as in_stock, c.oldest_check_at
from shop s left join (
  select shop_id, count(*) filter (where state = 'live') as live, count(*) filter (where state = 'missing') as missing,
    count(*) filter (where state = 'gone') as gone, count(*) filter (where state <> 'gone' and stock > 0) as in_stock,
    min(checked_at) filter (where state <> 'gone') as oldest_check_at
  from product group by shop_id
) c using (shop_id);
--> statement-breakpoint
create view analytics.variations as
select v.item_id, v.variation_id, v.variation, v.variation_stock, v.variation_identifier, v.barcode, v.gtin
from variation v;
--> statement-breakpoint
create view analytics.confirmations as
select item_id, unnest(moments) as confirmed_at from confirmation
union select item_id, first_seen from price_interval
union select item_id, prev_confirmed_at from price_interval where prev_confirmed_at is not null
union select item_id, checked_at from product;
--> statement-breakpoint
create view analytics.offers as
select distinct on (v.gtin, p.shop_id) v.gtin, p.shop_id, p.item_id, p.title, p.price, p.proper_price,
  v.variation_stock as stock, v.variation_stock > 0 as in_stock, p.checked_at, now() - p.checked_at as age,
  count(*) over (partition by v.gtin, p.shop_id)::integer as variations
from variation v join product p using (item_id)
where v.gtin is not null and p.state <> 'gone'
order by v.gtin, p.shop_id, v.variation_stock > 0 desc, p.price, p.item_id;
--> statement-breakpoint
comment on schema analytics is 'What Kurabe knows, for analysts. Prices are whole numbers in the marketplace''s currency, tax included; instants are timestamptz; days are those of the marketplace''s calendar (analytics.marketplace). "Confirmed" always means: an answer of the upstream showed this very value at that moment. Where nobody looked, the answer is "not confirmed", never a guess.';
--> statement-breakpoint
comment on view analytics.marketplace is 'One row: what is common to all days.';
--> statement-breakpoint
comment on column analytics.marketplace.timezone is 'IANA time zone in which the marketplace''s date changes (setting STOREFRONT_TIMEZONE). Never null.';
--> statement-breakpoint
comment on view analytics.products is 'One row a product ever seen, as last observed; gone ones stay.';
--> statement-breakpoint
comment on column analytics.products.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.products.shop_id is 'The shop that sells it now; a product that moved keeps its id and history.';
--> statement-breakpoint
comment on column analytics.products.shop_name is 'The shop''s name as last seen. Never null.';
--> statement-breakpoint
comment on column analytics.products.state is 'live: seen by the last look; missing: a search that should find it did not; gone: proven deleted. Never null.';
--> statement-breakpoint
comment on column analytics.products.title is 'Title as last seen. Never null.';
--> statement-breakpoint
comment on column analytics.products.detail is 'Description as last seen; may be empty, never null.';
--> statement-breakpoint
comment on column analytics.products.price is 'Selling price, tax included, as last confirmed (checked_at). Never null.';
--> statement-breakpoint
comment on column analytics.products.proper_price is 'The price the shop compares with (list price); null when it shows none. Only searches show it, so it may be older than checked_at.';
--> statement-breakpoint
comment on column analytics.products.discount_percent is 'Whole percent below proper_price, rounded down; 0 when there is no proper_price or it is not higher.';
--> statement-breakpoint
comment on column analytics.products.stock is 'Pieces the shop shows, as last confirmed. Never null.';
--> statement-breakpoint
comment on column analytics.products.in_stock is 'stock > 0.';
--> statement-breakpoint
comment on column analytics.products.identifier is 'The shop''s own article code; null when none.';
--> statement-breakpoint
comment on column analytics.products.gtins is 'GTINs of its variations with a right check digit, as 14 digits, ascending; empty array when none.';
--> statement-breakpoint
comment on column analytics.products.categories is 'Category names from the general to the special; empty array when none.';
--> statement-breakpoint
comment on column analytics.products.image_url is 'First image in its original size; null when none.';
--> statement-breakpoint
comment on column analytics.products.modified is 'The upstream''s raw "modified" number; its unit is not specified by the upstream. Never null.';
--> statement-breakpoint
comment on column analytics.products.first_seen_at is 'When it was first seen. Never null.';
--> statement-breakpoint
comment on column analytics.products.checked_at is 'Last moment an answer showed this content, changed or not: the last confirmation. Never null.';
--> statement-breakpoint
comment on column analytics.products.age is 'Interval since checked_at, at the time of the query.';
--> statement-breakpoint
comment on column analytics.products.changed_at is 'When its content or state was last seen to differ. Never null.';
--> statement-breakpoint
comment on column analytics.products.price_since is 'Since when price, proper_price and stock have been seen at this value; never null.';
--> statement-breakpoint
comment on column analytics.products.gone_at is 'When it was proven deleted; null unless state is gone.';
--> statement-breakpoint
comment on column analytics.products.changes_per_day is 'Content changes seen per day under observation; null before it was looked at twice.';
--> statement-breakpoint
comment on view analytics.shops is 'One row a shop ever seen.';
--> statement-breakpoint
comment on column analytics.shops.shop_id is 'The shop''s id.';
--> statement-breakpoint
comment on column analytics.shops.shop_name is 'Name as last seen. Never null.';
--> statement-breakpoint
comment on column analytics.shops.shop_url is 'Address as last seen. Never null.';
--> statement-breakpoint
comment on column analytics.shops.first_seen_at is 'When a product of it was first seen.';
--> statement-breakpoint
comment on column analytics.shops.checked_at is 'When an answer last showed one of its products.';
--> statement-breakpoint
comment on column analytics.shops.live is 'Products in state live.';
--> statement-breakpoint
comment on column analytics.shops.missing is 'Products in state missing.';
--> statement-breakpoint
comment on column analytics.shops.gone is 'Products proven deleted.';
--> statement-breakpoint
comment on column analytics.shops.in_stock is 'Products not gone with stock above 0.';
--> statement-breakpoint
comment on column analytics.shops.oldest_check_at is 'The longest unconfirmed of its products that are not gone: when it was last confirmed; null when it has none.';
--> statement-breakpoint
comment on view analytics.variations is 'One row a variation of a product, as the last search showed it (refreshes do not show variations).';
--> statement-breakpoint
comment on column analytics.variations.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.variations.variation_id is 'Id of the variation within its product.';
--> statement-breakpoint
comment on column analytics.variations.variation is 'What varies, such as colour: red. Never null.';
--> statement-breakpoint
comment on column analytics.variations.variation_stock is 'Pieces of it, as of the last search. Never null.';
--> statement-breakpoint
comment on column analytics.variations.variation_identifier is 'The shop''s own code; null when none.';
--> statement-breakpoint
comment on column analytics.variations.barcode is 'Barcode as typed by the shop; null when none.';
--> statement-breakpoint
comment on column analytics.variations.gtin is 'The barcode as GTIN with 14 digits, zeros in front; null when it is none or its check digit is wrong.';
--> statement-breakpoint
comment on view analytics.confirmations is 'One row a recorded confirmation of a product: the last of each calendar day, and the first and last of every value. Other looks of the same day, which showed the same value, are not kept.';
--> statement-breakpoint
comment on column analytics.confirmations.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.confirmations.confirmed_at is 'When the call was sent whose answer showed the product. Never null.';
--> statement-breakpoint
comment on view analytics.offers is 'One row a GTIN and shop: the shop''s cheapest offer, one in stock before one that is not. Products that are gone are left out.';
--> statement-breakpoint
comment on column analytics.offers.gtin is 'GTIN with 14 digits.';
--> statement-breakpoint
comment on column analytics.offers.shop_id is 'The shop''s id, as in analytics.shops.';
--> statement-breakpoint
comment on column analytics.offers.item_id is 'The upstream''s id of the product; never reused, kept when the product moves to another shop or comes back.';
--> statement-breakpoint
comment on column analytics.offers.title is 'Its title.';
--> statement-breakpoint
comment on column analytics.offers.price is 'Price as last confirmed (checked_at).';
--> statement-breakpoint
comment on column analytics.offers.proper_price is 'List price; null when none.';
--> statement-breakpoint
comment on column analytics.offers.stock is 'Pieces of the variation with this GTIN, as of the last search.';
--> statement-breakpoint
comment on column analytics.offers.in_stock is 'stock > 0.';
--> statement-breakpoint
comment on column analytics.offers.checked_at is 'Last confirmation of the price.';
--> statement-breakpoint
comment on column analytics.offers.age is 'Interval since checked_at, at the time of the query.';
--> statement-breakpoint
comment on column analytics.offers.variations is 'How many variations of the shop carry this GTIN.';

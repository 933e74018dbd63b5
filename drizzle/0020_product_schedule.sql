-- What the planner knows moves to a narrow table of its own. Nobody may write products meanwhile.
LOCK TABLE "product" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "product_schedule" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"shop_id" text NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"suspected" boolean DEFAULT false NOT NULL,
	"rate_changes" double precision DEFAULT 0 NOT NULL,
	"rate_days" double precision DEFAULT 0 NOT NULL,
	"weight" double precision DEFAULT 1 NOT NULL,
	"query_id" bigint
);
--> statement-breakpoint
INSERT INTO "product_schedule" (item_id, shop_id, checked_at, due_at, suspected, rate_changes, rate_days, weight, query_id)
SELECT item_id, shop_id, checked_at, due_at, state = 'missing', rate_changes, rate_days, weight, query_id
FROM "product" WHERE state <> 'gone' ORDER BY item_id;--> statement-breakpoint
DROP INDEX "product_shop_due";--> statement-breakpoint
DROP INDEX "product_due_span";--> statement-breakpoint
ALTER TABLE "product_schedule" ADD CONSTRAINT "product_schedule_item_id_product_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."product"("item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_schedule_due" ON "product_schedule" USING btree ("shop_id","due_at");--> statement-breakpoint
CREATE INDEX "product_schedule_due_span" ON "product_schedule" USING btree ((due_at - checked_at));--> statement-breakpoint
-- The views keep their names, columns, comments and readers; only where the evidence comes from is new.
create or replace view analytics.products as
select p.item_id, p.shop_id, s.shop_name, p.state, p.title, p.detail, p.price, p.proper_price,
  case when p.proper_price > p.price and p.price >= 0
    then (p.proper_price - p.price) * 100 / p.proper_price else 0 end as discount_percent,
  p.stock, p.stock > 0 as in_stock, p.identifier,
  array(select distinct v.gtin from variation v where v.item_id = p.item_id and v.gtin is not null order by 1) as gtins,
  array(select jsonb_array_elements_text(p.categories)) as categories,
  p.images -> 0 ->> 'origin' as image_url,
  p.modified, p.first_seen_at, p.checked_at, now() - p.checked_at as age, p.changed_at, p.price_since, p.gone_at,
  c.rate_changes / nullif(c.rate_days, 0) as changes_per_day
from product p join shop s using (shop_id) left join product_schedule c on c.item_id = p.item_id;
--> statement-breakpoint
comment on column analytics.products.changes_per_day is 'Content changes seen per day under observation; null before it was looked at twice, and when it is gone.';
--> statement-breakpoint
create or replace view analytics.shop_volatility as
select c.shop_id, count(*) as products, sum(c.rate_days) as observed_days, sum(c.rate_changes) as changes,
  sum(c.rate_changes) / nullif(sum(c.rate_days), 0) as changes_per_product_day,
  (count(*) filter (where c.rate_changes = 0)) / count(*)::float8 as never_changed,
  (count(*) filter (where p.changed_at > now() - interval '7 days' and p.changed_at > p.first_seen_at))
    / count(*)::float8 as changed_7d
from product_schedule c join product p using (item_id) group by c.shop_id;
--> statement-breakpoint
ALTER TABLE "product" DROP COLUMN "due_at";--> statement-breakpoint
ALTER TABLE "product" DROP COLUMN "rate_changes";--> statement-breakpoint
ALTER TABLE "product" DROP COLUMN "rate_days";--> statement-breakpoint
ALTER TABLE "product" DROP COLUMN "weight";--> statement-breakpoint
ALTER TABLE "product" DROP COLUMN "query_id";--> statement-breakpoint
-- So that the first plans after the upgrade know how many rows there are.
ANALYZE "product_schedule";

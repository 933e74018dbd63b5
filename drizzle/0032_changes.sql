CREATE TABLE "change_head" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"epoch" text DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 12) NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"thinned_to" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "change_head_one_row" CHECK ("change_head"."singleton")
);
--> statement-breakpoint
CREATE TABLE "pending_change" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"item_id" bigint NOT NULL,
	"ver" bigint NOT NULL,
	"kind" text NOT NULL,
	"price" bigint NOT NULL,
	"stock" bigint NOT NULL,
	"prev_price" bigint,
	"prev_stock" bigint,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_change" (
	"position" bigint PRIMARY KEY NOT NULL,
	"item_id" bigint NOT NULL,
	"ver" bigint NOT NULL,
	"kind" text NOT NULL,
	"price" bigint NOT NULL,
	"stock" bigint NOT NULL,
	"prev_price" bigint,
	"prev_stock" bigint,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "product_change_item" ON "product_change" USING btree ("item_id","position");
--> statement-breakpoint
insert into change_head default values;
--> statement-breakpoint
-- Whoever writes a product, its change is told in the same transaction. A check that changes nothing raises
-- no version and tells nothing.
create function changes_of_new_products() returns trigger language plpgsql as $$
begin
  insert into pending_change (item_id, ver, kind, price, stock)
  select item_id, ver, 'added', price, stock from new_rows where state <> 'gone' order by item_id;
  return null;
end $$;
--> statement-breakpoint
create function changes_of_products() returns trigger language plpgsql as $$
begin
  insert into pending_change (item_id, ver, kind, price, stock, prev_price, prev_stock)
  select n.item_id, n.ver,
    case when n.state = 'gone' then 'deleted' when o.state = 'gone' then 'returned' else 'changed' end,
    n.price, n.stock, o.price, o.stock
  from new_rows n join old_rows o using (item_id) where n.ver <> o.ver order by n.item_id;
  return null;
end $$;
--> statement-breakpoint
create trigger changes_of_new_products after insert on product
  referencing new table as new_rows for each statement execute function changes_of_new_products();
--> statement-breakpoint
create trigger changes_of_products after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function changes_of_products();
--> statement-breakpoint
-- Products show the address of their shop as well as its name.
drop trigger shop_renamed on shop;
--> statement-breakpoint
create trigger shop_renamed after update on shop for each row
  when ((old.shop_name, old.shop_url) is distinct from (new.shop_name, new.shop_url)) execute function shop_renamed();
--> statement-breakpoint
create view analytics.product_changes as
  select position, item_id, ver, kind, at, price, stock, prev_price, prev_stock from product_change;
--> statement-breakpoint
comment on view analytics.product_changes is 'Changes of products in the order in which readers of GET /v1/changes get them. Of changes older than the setting keep_changes_days, only the newest of each product is kept; all prices are in price_history.';
--> statement-breakpoint
comment on column analytics.product_changes.position is 'Place in the order of changes; some numbers may be missing.';
--> statement-breakpoint
comment on column analytics.product_changes.item_id is 'The product.';
--> statement-breakpoint
comment on column analytics.product_changes.ver is 'Version of the product after the change.';
--> statement-breakpoint
comment on column analytics.product_changes.kind is 'added; changed; deleted; returned: shown again after it was deleted. A new name or address of the shop is changed.';
--> statement-breakpoint
comment on column analytics.product_changes.at is 'When the change was stored, by the database''s clock.';
--> statement-breakpoint
comment on column analytics.product_changes.price is 'Price after the change.';
--> statement-breakpoint
comment on column analytics.product_changes.stock is 'Stock after the change.';
--> statement-breakpoint
comment on column analytics.product_changes.prev_price is 'Price before the change; null for a new product.';
--> statement-breakpoint
comment on column analytics.product_changes.prev_stock is 'Stock before the change; null for a new product.';

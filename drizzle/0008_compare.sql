CREATE TABLE "demand" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"score" double precision NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_request" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"item_id" bigint NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"call_id" bigint,
	"done_at" timestamp (3) with time zone,
	"outcome" text,
	CONSTRAINT "refresh_request_settled" CHECK (("refresh_request"."done_at" is null) = ("refresh_request"."outcome" is null))
);
--> statement-breakpoint
CREATE TABLE "vain_query" (
	"q" text PRIMARY KEY NOT NULL,
	"times" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "price_interval" ADD COLUMN "prev_price" bigint;--> statement-breakpoint
ALTER TABLE "refresh_request" ADD CONSTRAINT "refresh_request_item_id_product_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."product"("item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refresh_request_one_open" ON "refresh_request" USING btree ("item_id") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "refresh_request_due" ON "refresh_request" USING btree ("due_at") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "price_interval_newest_drop" ON "price_interval" USING btree ("first_seen","item_id") WHERE price < prev_price and price > 0;--> statement-breakpoint
CREATE INDEX "price_interval_biggest_drop" ON "price_interval" USING btree (((prev_price - price) * 100 / nullif(prev_price, 0)),"first_seen") WHERE price < prev_price and price > 0;
--> statement-breakpoint
-- What the rows older than the column know of their predecessors.
ALTER TABLE "price_interval" DISABLE TRIGGER "price_interval_append_only";--> statement-breakpoint
UPDATE "price_interval" i SET "prev_price" = b.price
FROM (
  SELECT item_id, first_seen, lag(price) OVER (PARTITION BY item_id ORDER BY first_seen) AS price FROM "price_interval"
) b
WHERE b.item_id = i.item_id AND b.first_seen = i.first_seen AND b.price IS NOT NULL;--> statement-breakpoint
ALTER TABLE "price_interval" ENABLE TRIGGER "price_interval_append_only";

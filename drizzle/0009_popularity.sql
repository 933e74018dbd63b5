CREATE TABLE "product_text" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"grams" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "popularity" integer GENERATED ALWAYS AS (case when order_rank is null then 0 else greatest(1, 20 - floor(log(2, order_rank + 1))::integer) end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "product_text" ADD CONSTRAINT "product_text_item_id_product_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."product"("item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_text_grams" ON "product_text" USING gin ("grams");
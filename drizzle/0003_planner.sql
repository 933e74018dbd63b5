CREATE TABLE "crawl_page" (
	"query_id" bigint NOT NULL,
	"start" integer NOT NULL,
	"item_ids" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone,
	CONSTRAINT "crawl_page_query_id_start_pk" PRIMARY KEY("query_id","start")
);
--> statement-breakpoint
DROP INDEX "product_due";--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "feed_yield" jsonb;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "newest_yield" jsonb;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "sweep_days" double precision DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "weight" double precision DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "order_rank" integer;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "query_id" bigint;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "rate_changes" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "rate_days" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "losses" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "loss_days" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "bumped" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "silent" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crawl_page" ADD CONSTRAINT "crawl_page_query_id_crawl_query_id_fk" FOREIGN KEY ("query_id") REFERENCES "public"."crawl_query"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crawl_page_due" ON "crawl_page" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "product_shop_item" ON "product" USING btree ("shop_id","item_id") WHERE state <> 'gone';--> statement-breakpoint
CREATE INDEX "shop_due" ON "shop" USING btree ("due_at");
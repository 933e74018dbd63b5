CREATE TABLE "api_call" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"purpose" text NOT NULL,
	"operation" text NOT NULL,
	"job" text NOT NULL,
	"params" jsonb NOT NULL,
	"reserved_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"outcome" text,
	"error" text,
	"duration_ms" integer,
	"found" bigint,
	"asked" integer,
	"returned" integer,
	"created" integer,
	"changed" integer,
	"unchanged" integer,
	"gone" integer,
	"quarantined" integer,
	"duplicates" integer
);
--> statement-breakpoint
CREATE TABLE "budget_day" (
	"day" date PRIMARY KEY NOT NULL,
	"limit_calls" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"discovery" integer DEFAULT 0 NOT NULL,
	"revalidation" integer DEFAULT 0 NOT NULL,
	"on_demand" integer DEFAULT 0 NOT NULL,
	"refused_at" timestamp (3) with time zone,
	CONSTRAINT "budget_not_exceeded" CHECK ("budget_day"."used" <= "budget_day"."limit_calls")
);
--> statement-breakpoint
CREATE TABLE "crawl_query" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"q" text NOT NULL,
	"shop_id" text,
	"source" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"walk_start" integer,
	"walked_at" timestamp (3) with time zone,
	"head_at" timestamp (3) with time zone,
	"feed_at" timestamp (3) with time zone,
	"feed_watermark" bigint,
	"found" bigint,
	"calls" integer DEFAULT 0 NOT NULL,
	"items_seen" bigint DEFAULT 0 NOT NULL,
	"items_created" bigint DEFAULT 0 NOT NULL,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "held_deletion" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"call_id" bigint NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job" (
	"name" text PRIMARY KEY NOT NULL,
	"cron" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"settings" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_run" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"job" text NOT NULL,
	"trigger" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"outcome" text,
	"error" text,
	"calls" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lease" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"epoch" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mirror" (
	"index_uid" text NOT NULL,
	"item_id" bigint NOT NULL,
	"want" bigint NOT NULL,
	"done" bigint DEFAULT 0 NOT NULL,
	"dirty_since" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"parked_at" timestamp (3) with time zone,
	"error" text,
	CONSTRAINT "mirror_index_uid_item_id_pk" PRIMARY KEY("index_uid","item_id")
);
--> statement-breakpoint
CREATE TABLE "mirror_batch" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"index_uid" text NOT NULL,
	"lease_epoch" bigint NOT NULL,
	"rows" jsonb NOT NULL,
	"task_uid" integer,
	"state" text NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mirror_index" (
	"index_uid" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"epoch" uuid NOT NULL,
	"settings_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"switched_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "price_interval" (
	"item_id" bigint NOT NULL,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"price" bigint NOT NULL,
	"proper_price" bigint,
	"stock" bigint NOT NULL,
	"prev_confirmed_at" timestamp (3) with time zone,
	"call_id" bigint NOT NULL,
	CONSTRAINT "price_interval_item_id_first_seen_pk" PRIMARY KEY("item_id","first_seen")
);
--> statement-breakpoint
CREATE TABLE "product" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"shop_id" text NOT NULL,
	"ver" bigint NOT NULL,
	"state" text NOT NULL,
	"title" text NOT NULL,
	"detail" text NOT NULL,
	"price" bigint NOT NULL,
	"proper_price" bigint,
	"stock" bigint NOT NULL,
	"visible" integer NOT NULL,
	"list_order" bigint NOT NULL,
	"identifier" text,
	"images" jsonb NOT NULL,
	"variations" jsonb NOT NULL,
	"categories" jsonb NOT NULL,
	"modified" bigint NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"price_since" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"rate_changes" double precision DEFAULT 0 NOT NULL,
	"rate_days" double precision DEFAULT 0 NOT NULL,
	"last_call_id" bigint NOT NULL,
	"gone_at" timestamp (3) with time zone,
	"gone_call_id" bigint,
	CONSTRAINT "product_state" CHECK ("product"."state" in ('live', 'missing', 'gone')),
	CONSTRAINT "product_gone_has_evidence" CHECK (("product"."state" = 'gone') = ("product"."gone_at" is not null and "product"."gone_call_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "quarantine" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"call_id" bigint NOT NULL,
	"item_id" bigint,
	"reason" text NOT NULL,
	"raw" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shop" (
	"shop_id" text PRIMARY KEY NOT NULL,
	"shop_name" text NOT NULL,
	"shop_url" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "variation" (
	"item_id" bigint NOT NULL,
	"variation_id" bigint NOT NULL,
	"variation" text NOT NULL,
	"variation_stock" bigint NOT NULL,
	"variation_identifier" text,
	"barcode" text,
	"gtin" text,
	CONSTRAINT "variation_item_id_variation_id_pk" PRIMARY KEY("item_id","variation_id")
);
--> statement-breakpoint
ALTER TABLE "held_deletion" ADD CONSTRAINT "held_deletion_item_id_product_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."product"("item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_run" ADD CONSTRAINT "job_run_job_job_name_fk" FOREIGN KEY ("job") REFERENCES "public"."job"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_interval" ADD CONSTRAINT "price_interval_item_id_product_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."product"("item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_shop_id_shop_shop_id_fk" FOREIGN KEY ("shop_id") REFERENCES "public"."shop"("shop_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variation" ADD CONSTRAINT "variation_item_id_product_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."product"("item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_call_day" ON "api_call" USING btree ("day","purpose");--> statement-breakpoint
CREATE INDEX "api_call_reserved" ON "api_call" USING btree ("reserved_at");--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_query_key" ON "crawl_query" USING btree ("q",coalesce(shop_id, ''));--> statement-breakpoint
CREATE UNIQUE INDEX "job_run_one_active" ON "job_run" USING btree ("job") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "job_run_latest" ON "job_run" USING btree ("job","started_at");--> statement-breakpoint
CREATE INDEX "mirror_due" ON "mirror" USING btree ("index_uid","next_at") WHERE want > done and parked_at is null;--> statement-breakpoint
CREATE INDEX "mirror_parked" ON "mirror" USING btree ("index_uid") WHERE parked_at is not null;--> statement-breakpoint
CREATE INDEX "mirror_batch_open" ON "mirror_batch" USING btree ("index_uid") WHERE state in ('building', 'sent');--> statement-breakpoint
CREATE UNIQUE INDEX "mirror_index_one_serving" ON "mirror_index" USING btree ("state") WHERE state = 'serving';--> statement-breakpoint
CREATE INDEX "product_due" ON "product" USING btree ("due_at") WHERE state <> 'gone';--> statement-breakpoint
CREATE INDEX "product_shop_due" ON "product" USING btree ("shop_id","due_at") WHERE state <> 'gone';--> statement-breakpoint
CREATE INDEX "product_gone" ON "product" USING btree ("gone_at") WHERE state = 'gone';--> statement-breakpoint
CREATE INDEX "quarantine_item" ON "quarantine" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "variation_gtin" ON "variation" USING btree ("gtin") WHERE gtin is not null;
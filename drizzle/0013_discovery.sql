ALTER TABLE "crawl_query" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "trial" jsonb;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "poor_looks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "walk_yield" double precision;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "ends_at" integer;
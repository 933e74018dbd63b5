CREATE TABLE "backoff" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"failures" integer NOT NULL,
	"code" text NOT NULL,
	"reason" text NOT NULL,
	"call_id" bigint NOT NULL,
	"first_failed_at" timestamp (3) with time zone NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL,
	"retry_at" timestamp (3) with time zone NOT NULL,
	"part" jsonb,
	"rest" jsonb,
	"isolated" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "walk_top" bigint;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "scans" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "crawl_query" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job_run" ADD COLUMN "position" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "backoff_subject" ON "backoff" USING btree ("kind","key");--> statement-breakpoint
CREATE INDEX "backoff_retry" ON "backoff" USING btree ("kind","retry_at","id");--> statement-breakpoint
CREATE INDEX "backoff_isolated" ON "backoff" USING btree ("retry_at") WHERE isolated;--> statement-breakpoint
CREATE INDEX "crawl_query_turn" ON "crawl_query" USING btree ("asked_at" NULLS FIRST,"id") WHERE enabled;
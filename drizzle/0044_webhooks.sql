CREATE TABLE "webhook_count" (
	"outcome" text PRIMARY KEY NOT NULL,
	"attempts" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "webhook_delivery_due";--> statement-breakpoint
DROP INDEX "webhook_delivery_webhook";--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "not_before" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_deleted" ON "webhook" USING btree ("webhook_id") WHERE state = 'deleted';--> statement-breakpoint
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" USING btree ("webhook_id","next_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_delivery_webhook" ON "webhook_delivery" USING btree ("webhook_id","state","delivery_id");--> statement-breakpoint
INSERT INTO "webhook_count" ("outcome", "attempts") VALUES ('delivered', 0), ('failed', 0);

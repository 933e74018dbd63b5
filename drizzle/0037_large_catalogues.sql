-- On a large database the indexes are to be built with `concurrently`: writers wait for them otherwise.
ALTER TABLE "mirror_index" ADD COLUMN "entered_to" bigint DEFAULT 0;--> statement-breakpoint
CREATE INDEX "product_popular" ON "product" USING btree ("popularity" DESC NULLS LAST,"modified" DESC NULLS LAST) WHERE state <> 'gone';--> statement-breakpoint
CREATE INDEX "product_schedule_checked" ON "product_schedule" USING btree ("checked_at");
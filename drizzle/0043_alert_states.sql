ALTER TABLE "saved_search_item" DROP CONSTRAINT "saved_search_item_saved_search_id_item_id_pk";--> statement-breakpoint
ALTER TABLE "saved_search_item" ADD CONSTRAINT "saved_search_item_item_id_saved_search_id_pk" PRIMARY KEY("item_id","saved_search_id");--> statement-breakpoint
ALTER TABLE "alert_head" ADD COLUMN "judged" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_head" ADD COLUMN "looked" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_head" ADD COLUMN "events" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_head" ADD COLUMN "skipped" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_search_anchor" ADD COLUMN "also" text;--> statement-breakpoint
CREATE INDEX "product_group_merged" ON "product_group" USING btree ("merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "saved_search_item_search" ON "saved_search_item" USING btree ("saved_search_id");--> statement-breakpoint
ALTER TABLE "alert_head" DROP COLUMN "group_change_id";

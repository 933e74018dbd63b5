CREATE TABLE "shop_rename" (
	"shop_id" text PRIMARY KEY NOT NULL,
	"after_id" bigint DEFAULT 0 NOT NULL,
	"again" boolean DEFAULT false NOT NULL,
	"renamed_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mirror_index" ADD COLUMN "reset_after" bigint;--> statement-breakpoint
ALTER TABLE "mirror_index" ADD COLUMN "reset_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "shop_rename" ADD CONSTRAINT "shop_rename_shop_id_shop_shop_id_fk" FOREIGN KEY ("shop_id") REFERENCES "public"."shop"("shop_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shop_rename_due" ON "shop_rename" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "api_call_forgettable" ON "api_call" USING btree ("finished_at","id") WHERE coalesce(created, 0) = 0 and coalesce(changed, 0) = 0;--> statement-breakpoint
CREATE INDEX "job_run_finished" ON "job_run" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "mirror_dirty" ON "mirror" USING btree ("index_uid","dirty_since") WHERE want > done and parked_at is null;--> statement-breakpoint
CREATE INDEX "mirror_batch_closed" ON "mirror_batch" USING btree ("updated_at") WHERE state not in ('building', 'sent');--> statement-breakpoint
CREATE INDEX "product_gone_call" ON "product" USING btree ("gone_call_id") WHERE gone_call_id is not null;--> statement-breakpoint
CREATE INDEX "product_due_span" ON "product" USING btree ((due_at - checked_at)) WHERE state <> 'gone';--> statement-breakpoint
CREATE INDEX "refresh_request_done" ON "refresh_request" USING btree ("done_at") WHERE done_at is not null;--> statement-breakpoint
-- A new name costs the transaction that stores it one row, however many products the shop has: their
-- search text and their entries in the index follow in the background, in slices.
create or replace function shop_renamed() returns trigger language plpgsql as $$
begin
  insert into shop_rename as r (shop_id, renamed_at, next_at)
  values (new.shop_id, clock_timestamp(), clock_timestamp())
  on conflict (shop_id) do update set again = r.again or r.after_id > 0;
  return null;
end $$;

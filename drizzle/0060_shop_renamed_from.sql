ALTER TABLE "shop" ADD COLUMN "renamed_from" text[];--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "renamed_at" timestamp (3) with time zone;
ALTER TABLE "deletion_count" ADD COLUMN "refuted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deletion_count" ADD COLUMN "sampled" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "forecast" ADD COLUMN "modified" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What was modified between the forecast and this moment counts as unchanged, unless its price or stock has changed.
update forecast f set modified = p.modified from product p where p.item_id = f.item_id and f.changed is null;--> statement-breakpoint
ALTER TABLE "forecast" ALTER COLUMN "modified" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "forecast" DROP COLUMN "ver";

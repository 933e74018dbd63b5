ALTER TABLE "mirror_batch" ADD COLUMN "operation" text NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_batch" ADD COLUMN "enqueued_at" text;
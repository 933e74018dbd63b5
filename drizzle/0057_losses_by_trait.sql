CREATE TABLE "loss_evidence" (
	"traits" text[] PRIMARY KEY NOT NULL,
	"losses" double precision NOT NULL,
	"expected" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "loss_trait" (
	"trait" text PRIMARY KEY NOT NULL,
	"factor" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "deletions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "losses_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "product_schedule" ADD COLUMN "loss_factor" double precision DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "product_schedule" ADD COLUMN "appeared_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "loss_evidence_expected" ON "loss_evidence" USING btree ("expected" DESC NULLS LAST);
CREATE TABLE "rate_trait" (
	"trait" text PRIMARY KEY NOT NULL,
	"changes" double precision NOT NULL,
	"expected" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product_schedule" ADD COLUMN "rate_factor" double precision DEFAULT 1 NOT NULL;
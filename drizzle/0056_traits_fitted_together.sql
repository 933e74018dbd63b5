-- Factors are fitted anew, from evidence of products with the same traits.
DELETE FROM "rate_trait";
--> statement-breakpoint
CREATE TABLE "rate_evidence" (
	"traits" text[] PRIMARY KEY NOT NULL,
	"changes" double precision NOT NULL,
	"expected" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "rate_trait" ADD COLUMN "factor" double precision NOT NULL;--> statement-breakpoint
CREATE INDEX "rate_evidence_expected" ON "rate_evidence" USING btree ("expected" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "rate_trait" DROP COLUMN "changes";--> statement-breakpoint
ALTER TABLE "rate_trait" DROP COLUMN "expected";
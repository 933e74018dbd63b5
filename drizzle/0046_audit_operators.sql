-- All rows so far are of the only operator there was. A constant default changes no row.
ALTER TABLE "ops_audit" ADD COLUMN "operator" text DEFAULT 'ops';--> statement-breakpoint
ALTER TABLE "ops_audit" ALTER COLUMN "operator" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "ops_audit" ADD COLUMN "address" text;

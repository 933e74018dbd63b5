CREATE TABLE "revoked_session" (
	"session" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refresh_request" ADD COLUMN "client" text;--> statement-breakpoint
CREATE INDEX "refresh_request_client" ON "refresh_request" USING btree ("client","requested_at") WHERE client is not null;
CREATE TABLE "possible_return" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"shop_id" text NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL,
	"is_asked" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX "possible_return_waiting" ON "possible_return" USING btree ("noted_at","item_id") WHERE not is_asked;
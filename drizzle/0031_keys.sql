CREATE TABLE "api_key" (
	"key_id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"last_four" text NOT NULL,
	"per_minute" integer,
	"per_day" integer,
	"origins" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_key_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "api_key_day" (
	"key_id" bigint NOT NULL,
	"day" date NOT NULL,
	"requests" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"limited" bigint NOT NULL,
	"other_origin" bigint NOT NULL,
	"minute" integer NOT NULL,
	"minute_requests" integer NOT NULL,
	CONSTRAINT "api_key_day_key_id_day_pk" PRIMARY KEY("key_id","day")
);
--> statement-breakpoint
CREATE INDEX "api_key_day_day" ON "api_key_day" USING btree ("day");
--> statement-breakpoint
create view analytics.api_usage as
select u.day, nullif(u.key_id, 0) as key_id, k.name, u.requests, u.errors, u.limited, u.other_origin
from api_key_day u left join api_key k using (key_id);
--> statement-breakpoint
comment on view analytics.api_usage is 'Use of the public API: one row for each day and API key, and one for the requests without a key. Counts of the last seconds may be missing.';
--> statement-breakpoint
comment on column analytics.api_usage.day is 'Day in the marketplace''s time zone.';
--> statement-breakpoint
comment on column analytics.api_usage.key_id is 'The API key; null for requests without a key.';
--> statement-breakpoint
comment on column analytics.api_usage.name is 'Name of the key; null for requests without a key.';
--> statement-breakpoint
comment on column analytics.api_usage.requests is 'Requests that were let through.';
--> statement-breakpoint
comment on column analytics.api_usage.errors is 'Of these, how many were answered with a status of 400 or more.';
--> statement-breakpoint
comment on column analytics.api_usage.limited is 'Requests refused because a limit of the key was used up.';
--> statement-breakpoint
comment on column analytics.api_usage.other_origin is 'Requests refused because they came from a page whose origin is not one of the key''s.';

CREATE TABLE "search_host" (
	"host" serial PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"wanted" boolean NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "search_host_url_unique" UNIQUE("url")
);
--> statement-breakpoint
CREATE TABLE "search_placement" (
	"bucket" integer NOT NULL,
	"host" integer NOT NULL,
	"state" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "search_placement_bucket_host_pk" PRIMARY KEY("bucket","host")
);
--> statement-breakpoint
DROP INDEX "mirror_index_one_serving";--> statement-breakpoint
ALTER TABLE "mirror_index" ADD COLUMN "host" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "search_placement_host" ON "search_placement" USING btree ("host");--> statement-breakpoint
CREATE UNIQUE INDEX "mirror_index_one_serving" ON "mirror_index" USING btree ("host") WHERE state = 'serving';--> statement-breakpoint
-- The same as `bucketOf` in src/search/index/bucket.ts.
create function search_bucket(item_id bigint) returns integer language sql immutable parallel safe as $$
  select ((abs(item_id) % 65521 * 40503) % 65536 / 64)::integer
$$;
--> statement-breakpoint
revoke execute on function search_bucket(bigint) from public;
--> statement-breakpoint
create or replace function mirror_mark_dirty(item_ids bigint[]) returns void language sql as $$
  insert into mirror as m (index_uid, item_id, desired_version, dirty_since, next_at)
  select i.index_uid, t.item_id, 1, clock_timestamp(), clock_timestamp()
  from (select distinct unnest(item_ids) as item_id order by 1) t
  cross join mirror_index i
  where i.state in ('building', 'serving') and (i.host = 0 or exists (
    select from search_placement p
    where p.host = i.host and p.bucket = search_bucket(t.item_id) and p.state <> 'leaving'))
  on conflict (index_uid, item_id) do update set
    desired_version = m.desired_version + 1,
    dirty_since = case when m.desired_version = m.indexed_version then excluded.dirty_since else m.dirty_since end,
    next_at = excluded.next_at,
    attempts = 0,
    dead_lettered_at = null,
    error = null
$$;

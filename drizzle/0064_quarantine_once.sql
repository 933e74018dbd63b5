ALTER TABLE "quarantine" ADD COLUMN "first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "quarantine" ADD COLUMN "times" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- What was kept once for every answer is kept once: its newest row, which counts the others.
with newest as (
  select max(id) as id, count(*)::integer as times, min(seen_at) as first_seen_at
  from quarantine group by md5(coalesce(item_id::text, raw) || ' ' || reason)
), counted as (
  update quarantine q set times = n.times, first_seen_at = n.first_seen_at from newest n where q.id = n.id
)
delete from quarantine where id not in (select id from newest);--> statement-breakpoint
CREATE INDEX "quarantine_subject" ON "quarantine" USING btree (md5(coalesce(item_id::text, raw) || ' ' || reason));

ALTER TABLE "crawl_query" RENAME COLUMN "walked_at" TO "scanned_at";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "walk_start" TO "scan_start";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "walk_top" TO "scan_top";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "walk_yield" TO "scan_yield";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "head_at" TO "newest_checked_at";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "feed_at" TO "feed_checked_at";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "sweep_days" TO "scan_interval_days";
--> statement-breakpoint
ALTER TABLE "crawl_query" RENAME COLUMN "poor_looks" TO "failed_trials";
--> statement-breakpoint
ALTER TABLE "vain_query" RENAME TO "zero_result_query";
--> statement-breakpoint
ALTER TABLE "mirror" RENAME COLUMN "parked_at" TO "dead_lettered_at";
--> statement-breakpoint
ALTER INDEX "mirror_parked" RENAME TO "mirror_dead_lettered";
--> statement-breakpoint
create or replace function mirror_mark_dirty(item_ids bigint[]) returns void language sql as $$
  insert into mirror as m (index_uid, item_id, want, dirty_since, next_at)
  select i.index_uid, t.item_id, 1, clock_timestamp(), clock_timestamp()
  from (select distinct unnest(item_ids) as item_id order by 1) t
  cross join mirror_index i
  where i.state in ('building', 'serving')
  on conflict (index_uid, item_id) do update set
    want = m.want + 1,
    dirty_since = case when m.want = m.done then excluded.dirty_since else m.dirty_since end,
    next_at = excluded.next_at,
    attempts = 0,
    dead_lettered_at = null,
    error = null
$$;
--> statement-breakpoint
-- What is kept of scans names values as the code does; half a scan begins anew.
update crawl_query set scans = '{}',
  newest_yield = case when newest_yield is null then null else jsonb_build_object(
    'value', newest_yield->'worth', 'valueByLaw', newest_yield->'worthByLaw',
    'pages', newest_yield->'pages', 'newsByLaw', newest_yield->'newsByLaw') end;

ALTER TABLE "mirror" RENAME COLUMN "want" TO "desired_version";
--> statement-breakpoint
ALTER TABLE "mirror" RENAME COLUMN "done" TO "indexed_version";
--> statement-breakpoint
create or replace function mirror_mark_dirty(item_ids bigint[]) returns void language sql as $$
  insert into mirror as m (index_uid, item_id, desired_version, dirty_since, next_at)
  select i.index_uid, t.item_id, 1, clock_timestamp(), clock_timestamp()
  from (select distinct unnest(item_ids) as item_id order by 1) t
  cross join mirror_index i
  where i.state in ('building', 'serving')
  on conflict (index_uid, item_id) do update set
    desired_version = m.desired_version + 1,
    dirty_since = case when m.desired_version = m.indexed_version then excluded.dirty_since else m.dirty_since end,
    next_at = excluded.next_at,
    attempts = 0,
    dead_lettered_at = null,
    error = null
$$;
--> statement-breakpoint
ALTER TABLE "product" RENAME COLUMN "gone_at" TO "deleted_at";
--> statement-breakpoint
ALTER TABLE "product" RENAME COLUMN "gone_call_id" TO "deleted_call_id";
--> statement-breakpoint
ALTER TABLE "product" RENAME CONSTRAINT "product_gone_has_evidence" TO "product_deleted_has_evidence";
--> statement-breakpoint
ALTER INDEX "product_gone" RENAME TO "product_deleted";
--> statement-breakpoint
ALTER INDEX "product_gone_call" RENAME TO "product_deleted_call";
--> statement-breakpoint
update crawl_query set source = 'zero_results' where source = 'vain';

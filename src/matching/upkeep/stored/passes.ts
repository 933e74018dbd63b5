import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/open.ts";

/** Raised whenever titles are prepared, found or linked differently: all products are then matched again. */
const rulesVersion = 17;
/** In thousands, to which estimates add the version of the model. */
export const readingVersion = rulesVersion * 1000;

/** Whether a process of a later version matches here: one of a former version then leaves it alone. */
export async function isOutdated(tx: Tx): Promise<boolean> {
  const rows = await tx.execute(sql`select from match_head where version > ${readingVersion}`);
  return rows.length > 0;
}

/** Products per slice. A pass waits until they are matched, so those that change in the meantime go first. */
const sliceSize = 1000;

/**
 * Makes the next products due that another version has matched, or whose category has another threshold.
 * The position commits with the slice, so a pass that is stopped goes on. Returns whether there was anything.
 */
export async function continuePasses(tx: Tx): Promise<boolean> {
  return (await continueVersion(tx)) || (await continueCategory(tx));
}

async function continueVersion(tx: Tx): Promise<boolean> {
  const [head] = await tx.execute<{ after_id: number | null }>(sql`
    update match_head set version = ${readingVersion}, after_id = case when version = ${readingVersion} then after_id else 0 end
    where version < ${readingVersion} or after_id is not null returning after_id`);
  if (!head || head.after_id === null) return false;
  const [slice] = await tx.execute<{ products: number; last_id: number | null }>(sql`
    with slice as materialized (
      select item_id from product where item_id > ${head.after_id} order by item_id limit ${sliceSize}
    ), stale as (
      select p.item_id from slice join product p using (item_id) left join match_item i using (item_id)
      where p.state <> 'gone' and i.version is distinct from ${readingVersion}
    ), marked as (
      insert into match_due as m (item_id, is_follower) select item_id, true from stale order by item_id
      on conflict (item_id) do update set stage = 0 where m.stage > 0
    )
    select count(*)::int as products, max(item_id) as last_id from slice`);
  const afterId = slice?.products === sliceSize ? slice.last_id : null;
  await tx.execute(sql`update match_head set after_id = ${afterId}`);
  return true;
}

async function continueCategory(tx: Tx): Promise<boolean> {
  const [due] = await tx.execute<{ category: string; after_id: number }>(sql`
    select category, after_id from match_category_due order by category limit 1 for update skip locked`);
  if (!due) return false;
  const [slice] = await tx.execute<{ products: number; last_id: number | null }>(sql`
    with slice as materialized (
      select item_id from match_item where category = ${due.category} and item_id > ${due.after_id}
      order by item_id limit ${sliceSize}
    ), marked as (
      insert into match_due (item_id, stage, is_follower) select item_id, 2, true from slice order by item_id
      on conflict do nothing
    )
    select count(*)::int as products, max(item_id) as last_id from slice`);
  if (slice?.products === sliceSize) {
    await tx.execute(sql`
      update match_category_due set after_id = ${slice.last_id} where category = ${due.category}`);
  } else {
    await tx.execute(sql`delete from match_category_due where category = ${due.category}`);
  }
  return true;
}

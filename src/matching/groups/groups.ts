import { asc, desc, gt, sql } from "drizzle-orm";
import { readProduct, type ProductRecord } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import { groupChange } from "../../db/schema.ts";

export type GroupState = { state: "living"; groupId: number } | { state: "ended"; at: Date };

/**
 * The group that has the members of this one now, after however many merges; null: no group ever had
 * this id. Merges that lead in a circle lead to no group.
 */
export async function findGroup(db: Db, groupId: number): Promise<GroupState | null> {
  const rows = await db.execute<{ group_id: number; ended_at: string | null; ended: boolean }>(sql`
    with recursive way as (
      select group_id, merged_into, members, ended_at, created_at, 1 as step
      from product_group where group_id = ${groupId}
      union all
      select g.group_id, g.merged_into, g.members, g.ended_at, g.created_at, w.step + 1
      from way w join product_group g on g.group_id = w.merged_into
    ) cycle group_id set is_again using visited
    select group_id, coalesce(ended_at, created_at) as ended_at,
      merged_into is not null or members = 0 as ended
    from way where not is_again order by step desc limit 1`);
  const [last] = rows;
  if (!last) return null;
  return last.ended
    ? { state: "ended", at: new Date(last.ended_at ?? 0) }
    : { state: "living", groupId: last.group_id };
}

/** The member whose title and image stand for the group: the most popular one; null: none lives. */
export async function readRepresentative(db: Db, groupId: number): Promise<ProductRecord | null> {
  const [row] = await db.execute<{ item_id: number }>(sql`
    select p.item_id from group_member m join product p using (item_id)
    where m.group_id = ${groupId} and p.state <> 'gone'
    order by p.popularity desc, p.item_id limit 1`);
  return row ? readProduct(db, row.item_id) : null;
}

export type GroupChange = typeof groupChange.$inferSelect;

/** What happened to groups after the change `after`, in order. A reader that goes on there misses nothing. */
export async function readGroupChanges(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<GroupChange[]> {
  return db
    .select()
    .from(groupChange)
    .where(gt(groupChange.id, after))
    .orderBy(asc(groupChange.id))
    .limit(limit);
}

/** The newest first. */
export async function readNewestGroupChanges(db: Db, limit: number): Promise<GroupChange[]> {
  return db.select().from(groupChange).orderBy(desc(groupChange.id)).limit(limit);
}

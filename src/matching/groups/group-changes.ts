import { asc, desc, gt } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { groupChange } from "../../db/schema.ts";

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

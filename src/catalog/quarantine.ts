import { desc, eq } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { quarantine } from "../db/schema.ts";

export type QuarantineRecord = typeof quarantine.$inferSelect;

/** Items that could not be read, newest first. */
export async function readQuarantine(
  db: Db,
  limit: number,
  itemId?: number,
): Promise<QuarantineRecord[]> {
  return db
    .select()
    .from(quarantine)
    .where(itemId === undefined ? undefined : eq(quarantine.itemId, itemId))
    .orderBy(desc(quarantine.id))
    .limit(limit);
}

import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import type { SavedQuery } from "../db/schema.ts";

/** What the query names although there has never been such a product or group. */
export async function findUnknown(
  db: Db,
  { item_id: itemId, group_id: groupId }: SavedQuery,
): Promise<{ parameter: string; message: string }[]> {
  const [known] = await db.execute<{ item: boolean; is_group: boolean }>(sql`
    select exists (select from product where item_id = ${itemId ?? null}::bigint) as item,
      exists (select from product_group where group_id = ${groupId ?? null}::bigint) as is_group`);
  const faults: { parameter: string; message: string }[] = [];
  if (itemId !== undefined && !known?.item) {
    faults.push({ parameter: "query.item_id", message: "no product has ever had this id" });
  }
  if (groupId !== undefined && !known?.is_group) {
    faults.push({ parameter: "query.group_id", message: "no group has ever had this id" });
  }
  return faults;
}

import { sql } from "drizzle-orm";
import { anyId } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { KeptField, RefreshItem, SearchItem } from "../../storefront/product.ts";

/** Its shop keeps name and address itself (see `storeShops`). */
type StoredField = Exclude<KeptField, "shopName" | "shopUrl">;
type StoredRow = Pick<SearchItem, "itemId" | StoredField>;

/**
 * The items with what is stored of their fields that could not be read: it stays as it is until the end of the
 * transaction. All items are locked, in the order in which they are written, so that no two answers wait for one another.
 */
export async function withStored<T extends RefreshItem>(
  tx: Tx,
  items: readonly T[],
): Promise<readonly T[]> {
  if (!items.some((item) => item.unreadable)) return items;
  const ids = items.map((item) => item.itemId);
  const rows = await tx.execute<StoredRow & Record<string, unknown>>(sql`
    select item_id as "itemId", detail, categories, modified, proper_price as "properPrice", visible,
      list_order as "listOrder", identifier, variations
    from product where item_id = ${anyId(ids)} order by item_id for no key update`);
  const stored = new Map(rows.map((row) => [row.itemId, row]));
  return items.map((item) => {
    const kept: readonly string[] = item.unreadable?.fields ?? [];
    const fields = Object.entries(stored.get(item.itemId) ?? {});
    return { ...item, ...Object.fromEntries(fields.filter(([field]) => kept.includes(field))) };
  });
}

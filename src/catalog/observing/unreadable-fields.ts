import { sql } from "drizzle-orm";
import { anyId } from "../../db/lists.ts";
import type { Tx } from "../../db/open.ts";
import type { KeptField, RefreshItem, SearchItem } from "../../storefront/product.ts";

/** Its shop keeps name and address itself (see `storeShops`). */
type StoredField = Exclude<KeptField, "shopName" | "shopUrl">;
type StoredRow = Pick<SearchItem, "itemId" | StoredField>;

/** The items with what is stored of their fields that could not be read. */
export async function withStored<T extends RefreshItem>(
  tx: Tx,
  items: readonly T[],
): Promise<readonly T[]> {
  const ids = items.filter((item) => item.unreadable).map((item) => item.itemId);
  if (ids.length === 0) return items;
  const rows = await tx.execute<StoredRow & Record<string, unknown>>(sql`
    select item_id as "itemId", detail, categories, modified, proper_price as "properPrice", visible,
      list_order as "listOrder", identifier, variations
    from product where item_id = ${anyId(ids)}`);
  const stored = new Map(rows.map((row) => [row.itemId, row]));
  return items.map((item) => {
    const kept: readonly string[] = item.unreadable?.fields ?? [];
    const fields = Object.entries(stored.get(item.itemId) ?? {});
    return { ...item, ...Object.fromEntries(fields.filter(([field]) => kept.includes(field))) };
  });
}

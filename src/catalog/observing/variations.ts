import { sql } from "drizzle-orm";
import { idList, rowsOf } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { RefreshItem, SearchItem } from "../../storefront/product.ts";
import { toGtin14 } from "../gtin.ts";

/** Fills the table for joins by GTIN. The product row has the same list, so that an answer needs one read. */
export async function storeVariations(
  tx: Tx,
  items: readonly (RefreshItem | SearchItem)[],
  rows: readonly { item_id: number; variations_changed?: boolean }[],
): Promise<void> {
  const stale = new Set(rows.filter((r) => r.variations_changed).map((r) => r.item_id));
  if (stale.size === 0) return;
  const fresh = items.flatMap((item) =>
    "variations" in item && stale.has(item.itemId)
      ? newestVariations(item).map((v) => ({
          ...v,
          item_id: item.itemId,
          gtin: toGtin14(v.barcode),
        }))
      : [],
  );
  await tx.execute(sql`
    delete from variation where item_id in ${idList([...stale])}`);
  if (fresh.length === 0) return;
  await tx.execute(sql`
    insert into variation (item_id, variation_id, variation, variation_stock, variation_identifier, barcode, gtin)
    select item_id, variation_id, variation, variation_stock, variation_identifier, barcode, gtin
    from ${rowsOf("variation", fresh)}`);
}

function newestVariations(item: SearchItem): SearchItem["variations"] {
  return [...new Map(item.variations.map((v) => [v.variation_id, v])).values()];
}

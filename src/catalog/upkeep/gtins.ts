import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import { rowsOf } from "../../db/rows.ts";
import { toGtin14 } from "../gtin.ts";
import type { Rewriting } from "./slices.ts";

/** Raised whenever `toGtin14` gives something else for the same barcode. */
const gtinVersion = 1;

/** Products whose codes change are matched again. */
export const barcodes: Rewriting = {
  key: "variation_gtins",
  version: gtinVersion,
  async rewrite(tx, ids) {
    const stored = await tx.execute<StoredCode>(sql`
      select item_id, variation_id, barcode, gtin from variation
      where item_id in ${idList(ids)} and barcode is not null`);
    const changed = stored
      .map((row) => ({ ...row, gtin: toGtin14(row.barcode), former: row.gtin }))
      .filter(({ gtin, former }) => gtin !== former);
    if (changed.length === 0) return;
    await tx.execute(sql`
      update variation v set gtin = x.gtin
      from ${rowsOf("variation", changed)} x
      where v.item_id = x.item_id and v.variation_id = x.variation_id`);
    const itemIds = changed.map((row) => row.item_id);
    await tx.execute(sql`select match_mark_due(array${idList(itemIds)})`);
  },
};

type StoredCode = { item_id: number; variation_id: number; barcode: string; gtin: string | null };

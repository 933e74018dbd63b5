import { sql } from "drizzle-orm";
import { z } from "zod";
import { idList, rowsOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { toGtin14 } from "../gtin.ts";

/** Products per transaction. Other writers of these products wait for at most one such transaction. */
const slice = 500;

export interface Rewriting {
  /** The setting that has the position. */
  key: string;
  /** Raised whenever all products are to be rewritten. */
  version: number;
  /** Gets products that nobody else can change before the end of the transaction. */
  rewrite(tx: Tx, ids: readonly number[]): Promise<unknown>;
}

/** Another shape counts as none: the work begins again. */
const position = z.object({ version: z.int(), after_id: z.int().nullable() });

/**
 * Rewrites what is derived from the products that were stored before the present version, in slices by id. Its
 * position commits with each slice, so that a stopped task continues the next time. Once it is at the end it costs one
 * read.
 */
export async function rewriteInSlices(
  db: Db,
  signal: AbortSignal,
  rewriting: Rewriting,
  limit = slice,
): Promise<void> {
  let isDone = false;
  while (!isDone && !signal.aborted) {
    isDone = await db.transaction((tx) => rewriteSlice(tx, rewriting, limit));
  }
}

async function rewriteSlice(
  tx: Tx,
  { key, version, rewrite }: Rewriting,
  limit: number,
): Promise<boolean> {
  const [row] = await tx.execute(sql`select value from setting where key = ${key} for update`);
  const stored = position.safeParse(row?.value).data;
  const reached = stored?.version === version ? stored.after_id : 0;
  if (reached === null) return true;
  await tx.execute(sql`set local lock_timeout = '2s'`);
  const products = await tx.execute<{ item_id: number }>(sql`
    select item_id from product
    where item_id > ${reached} order by item_id limit ${limit} for share`);
  const ids = products.map((product) => product.item_id);
  if (ids.length > 0) await rewrite(tx, ids);
  const afterId = ids.length < limit ? null : ids.at(-1);
  await tx.execute(sql`
    insert into setting (key, value, updated_at)
    values (${key}, ${JSON.stringify({ version, after_id: afterId })}::text::jsonb, now())
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`);
  return afterId === null;
}

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

/** Raised whenever `fold_text`, `text_forms` or `text_words` gives something else for the same text. */
const foldingVersion = 3;

/** What Postgres searches products by. */
export const productTexts: Rewriting = {
  key: "product_texts",
  version: foldingVersion,
  rewrite: (tx, ids) => tx.execute(sql`select write_product_text(array${idList(ids)})`),
};

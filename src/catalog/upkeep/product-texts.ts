import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import type { Db } from "../../db/open.ts";
import { rewriteInSlices } from "./slices.ts";

/** Raised whenever `fold_text`, `text_forms` or `text_words` gives something else for the same text. */
const foldingVersion = 2;

/** Writes anew what Postgres searches products by, where it is of an earlier version. */
export async function foldProductTexts(db: Db, signal: AbortSignal, limit?: number): Promise<void> {
  await rewriteInSlices(
    db,
    signal,
    {
      key: "product_texts",
      version: foldingVersion,
      rewrite: (tx, ids) => tx.execute(sql`select write_product_text(array${idList(ids)})`),
    },
    limit,
  );
}

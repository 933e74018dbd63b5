import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import type { Rewriting } from "./slices.ts";

/** Raised whenever `fold_text`, `text_forms` or `text_words` gives something else for the same text. */
const foldingVersion = 3;

/** What Postgres searches products by. */
export const productTexts: Rewriting = {
  key: "product_texts",
  version: foldingVersion,
  rewrite: (tx, ids) => tx.execute(sql`select write_product_text(array${idList(ids)})`),
};

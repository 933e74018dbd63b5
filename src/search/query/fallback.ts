import type { Db } from "../../db/open.ts";
import type { ProductHits, ProductQuery } from "./query.ts";
import { searchSql } from "./sql-search.ts";
import { hasWords, toWords } from "../index/words.ts";

/** A search by Postgres alone: exact, but with simpler rules for words. */
export async function searchCatalogue(
  db: Db,
  now: Date,
  query: ProductQuery,
): Promise<ProductHits> {
  const source = { words: toWords(query.q ?? "") };
  return {
    ...(await searchSql(db, now, query, () => source)),
    foundExact: true,
    titles: new Map(),
    partial: new Map(),
    corrected: null,
    engine: "postgres",
    degraded: false,
    indexUid: null,
    warnings: [],
  };
}

/** The same while the search engine does not answer. */
export async function searchDegraded(db: Db, now: Date, query: ProductQuery): Promise<ProductHits> {
  const hits = await searchCatalogue(db, now, query);
  const warnings = ["the search engine does not answer: this answer comes from the database"];
  if (hasWords(toWords(query.q ?? ""))) {
    warnings.push(
      "words are searched in titles, categories and shop names only: no typing errors are corrected, no descriptions searched, nothing highlighted",
    );
  }
  return { ...hits, degraded: true, warnings };
}

import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { must } from "../../../lib/must.ts";
import { splitFacets, withoutFacet } from "../engine-query.ts";
import { isSearchedWhole, maxPool, readPool } from "./pool.ts";
import type { ProductFacet, ProductHits, ProductQuery } from "../query.ts";
import { searchSql, type Pool } from "./sql-search.ts";
import { hasWords, toWords, typedBarcode } from "../../index/words.ts";

/**
 * A search by Postgres alone, with simpler rules for words. Exact, unless more products than it may look at
 * could match.
 */
export async function searchCatalogue(
  db: Db,
  now: Date,
  query: ProductQuery,
): Promise<ProductHits> {
  const words = toWords(query.q ?? "");
  const all = (await isSearchedWhole(db)) ? { source: { words }, isWhole: true } : null;
  const pools = new Map<ProductFacet | null, Pool>();
  for (const facet of [null, ...splitFacets(query).apart]) {
    const asked = facet ? withoutFacet(query, facet) : query;
    pools.set(facet, all ?? (await readPool(db, now, asked, words)));
  }
  const { isWhole, ...hits } = await searchSql(db, now, query, (facet) =>
    must(pools.get(facet), "a pool"),
  );
  return {
    ...hits,
    titles: new Map(),
    partial: new Map(),
    corrected: null,
    engine: "postgres",
    degraded: false,
    indexUid: null,
    warnings: isWhole
      ? []
      : [
          `only the first matching products were checked, ${maxPool} at most: \`found\` and facets may be too low; narrow the search for exact ones`,
        ],
  };
}

/** The barcode that was typed alone, or some of which the first digits were. */
async function readTypedBarcodes(db: Db, q: string): Promise<string[]> {
  const barcode = typedBarcode(q);
  if (barcode?.isAlone) return [barcode.gtin];
  const [digits] = /^\d{10,12}$/.exec(q.trim()) ?? [];
  if (digits === undefined) return [];
  const [from, to] = ["0", "9"].map((digit) => `0${digits}`.padEnd(14, digit));
  const rows = await db.execute<{ gtin: string }>(
    sql`select distinct gtin from variation where gtin between ${from} and ${to} limit 20`,
  );
  return rows.map(({ gtin }) => gtin);
}

/** What has such a barcode; null: none was typed, or nothing has it. */
async function searchByBarcode(
  db: Db,
  now: Date,
  { q = "", ...query }: ProductQuery,
): Promise<ProductHits | null> {
  const gtins = query.gtins?.length ? [] : await readTypedBarcodes(db, q);
  if (gtins.length === 0) return null;
  const hits = await searchCatalogue(db, now, { ...query, gtins });
  return hits.found > 0 ? hits : null;
}

/** A search while the search engine does not answer: also by a barcode alone, and with warnings. */
export async function searchDegraded(db: Db, now: Date, query: ProductQuery): Promise<ProductHits> {
  const hits = (await searchByBarcode(db, now, query)) ?? (await searchCatalogue(db, now, query));
  const warnings = [
    "the search engine does not answer: this answer comes from the database",
    ...hits.warnings,
  ];
  if (hasWords(toWords(query.q ?? ""))) {
    warnings.push(
      "words are searched in titles, categories and shop names only: no descriptions are searched, nothing is highlighted",
    );
  }
  return { ...hits, degraded: true, warnings };
}

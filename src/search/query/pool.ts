import { sql, type SQL } from "drizzle-orm";
import { countLiving } from "../../catalog/counts.ts";
import { textList } from "../../db/lists.ts";
import type { Db } from "../../db/open.ts";
import { hasWords, type Words } from "../index/words.ts";
import type { ProductQuery } from "./query.ts";
import { checkedSince, wordConditions, type Source } from "./sql-matches.ts";

/** A catalogue of up to so many products is searched whole: 150 ms with groups and facets. */
export const searchedWhole = 50_000;
/**
 * Of a larger one Postgres looks at no more products than these for one answer. Of a million, 10,000 took 1.5 s
 * while they were not in memory: as long as a search may take.
 */
export const maxPool = 2000;
/**
 * To list every product that has a word takes an index half a second for some words of ten million products. So
 * these first products are looked at: if a hundredth of them match, that is enough for an answer. Words that
 * fewer products have are found quickly by the index.
 */
const lookedAt = 20_000;
const enough = 200;

export interface Pool {
  source: Source;
  /** No other product can match. */
  isWhole: boolean;
}

/** Whether a search by Postgres alone may look at all products. */
export async function isSearchedWhole(db: Db): Promise<boolean> {
  return (await countLiving(db)) <= searchedWhole;
}

/** Whether an index tells which products can match. */
export function isNarrow(query: ProductQuery, words: Words): boolean {
  return narrowest(query, words, new Date(0)) !== null;
}

/**
 * The products that Postgres looks at: the first that an index finds for the narrowest restriction, or that
 * have words which very many have; without a restriction the most popular.
 */
export async function readPool(
  db: Db,
  now: Date,
  query: ProductQuery,
  words: Words,
): Promise<Pool> {
  if (hasWords(words) && !query.gtins?.length) {
    const ids = await readIds(
      db,
      withWords(sql`(select * from product_text limit ${lookedAt})`, words),
    );
    if (ids.length >= enough) {
      return { source: { ids: ids.slice(0, maxPool), words }, isWhole: false };
    }
  }
  const from =
    narrowest(query, words, now) ??
    sql`select item_id from product where state <> 'gone' order by popularity desc nulls last, modified desc nulls last`;
  const ids = await readIds(db, from);
  return { source: { ids: ids.slice(0, maxPool), words }, isWhole: ids.length <= maxPool };
}

/** At most one more than a pool holds. */
async function readIds(db: Db, from: SQL): Promise<number[]> {
  const rows = await db.execute<{ item_id: number }>(sql`${from} limit ${maxPool + 1}`);
  return rows.map((row) => row.item_id);
}

function withWords(texts: SQL, words: Words): SQL {
  return sql`select item_id from ${texts} t where ${sql.join([sql`true`, ...wordConditions(words)], sql` and `)}`;
}

function narrowest(query: ProductQuery, words: Words, now: Date): SQL | null {
  const { gtins, shopIds, maxAgeSeconds } = query;
  if (gtins?.length) {
    return sql`select distinct item_id from variation where gtin in ${textList(gtins)}`;
  }
  if (hasWords(words)) {
    return withWords(sql`product_text`, words);
  }
  if (maxAgeSeconds !== undefined) {
    return sql`select item_id from product_schedule
      where checked_at >= ${checkedSince(now, maxAgeSeconds)} order by checked_at desc`;
  }
  if (shopIds?.length) {
    return sql`select item_id from product where shop_id in ${textList(shopIds)} and state <> 'gone'`;
  }
  return null;
}

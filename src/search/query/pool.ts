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
 * In a larger one Postgres looks at no more products than these for one answer. With ten million, 2,000 took 0.1 s
 * while they were not in memory.
 */
export const maxPool = 1000;
/**
 * For some words of ten million products, the index takes half a second to list every product that has them. So
 * only the first products are looked at: if a hundredth of them match, that is enough for an answer. The index
 * quickly finds words that fewer products have.
 */
const lookedAt = 20_000;
const enough = 200;
/**
 * If even the rarest word has more products than these, the index is not asked: to find which have all words it
 * reads the list of that one. Its share is that of the first products.
 */
const maxListed = 50_000;
const sampled = 2000;

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
    if (ids.length >= enough || (await countRarest(db, words)) > maxListed) {
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

/** About how many products have the rarest of the words; 0 where there are few. */
async function countRarest(db: Db, words: Words): Promise<number> {
  const counts = wordConditions(words).map((has) => sql`count(*) filter (where ${has})`);
  const [row] = await db.execute<{ share: number }>(sql`
    select least(${sql.join(counts, sql`, `)})::float8 / ${sampled} as share
    from (select * from product_text limit ${sampled}) t having count(*) = ${sampled}`);
  return (row?.share ?? 0) * (await countLiving(db));
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

import { sql, type SQL } from "drizzle-orm";
import { countLiving } from "../../../catalog/counts.ts";
import { textList } from "../../../db/rows.ts";
import type { Db } from "../../../db/open.ts";
import { firstTexts } from "../../../db/sample.ts";
import { hasWords, type Words } from "../../index/words.ts";
import type { ProductQuery } from "../query.ts";
import { readQueryWords } from "../words/query-words.ts";
import { checkedSince } from "./sql-matches.ts";
import type { Pool } from "./sql-search.ts";
import { testExcluded, testPhrase, testWord, type TextTest } from "../words/word-sql.ts";

/** A catalogue of up to so many products is searched whole: 150 ms with groups and facets. */
export const searchedWhole = 50_000;
/**
 * In a larger one Postgres looks at no more products than these for one answer. With ten million, 1,000 took 0.1 s
 * while they were not in memory.
 */
export const maxPool = 500;
/**
 * For some words of ten million products, the index takes half a second to list every product that has them. So
 * only the first products are looked at: if a hundredth of them match, that is enough for an answer. The index
 * quickly finds words that fewer products have.
 */
const lookedAt = 10_000;
const enough = 100;
/**
 * The index is not asked for words that more products have than these, because it reads the list of each. Their share is
 * that of the first products.
 */
const maxListed = 50_000;
const sampled = 2000;

/** Whether a search by Postgres alone may look at all products. */
export async function isSearchedWhole(db: Db): Promise<boolean> {
  return (await countLiving(db)) <= searchedWhole;
}

/** Whether an index tells which products can match. */
export function isNarrow({ gtins, shopIds, maxAgeSeconds }: ProductQuery, words: Words): boolean {
  const isWithin = gtins?.length || shopIds?.length || maxAgeSeconds !== undefined;
  return hasWords(words) || Boolean(isWithin);
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
  if (hasWords(words) && !query.gtins?.length) return readPoolOfWords(db, words);
  const { ids, isAll } = await readCandidates(db, narrowest(query, now));
  return { source: { ids, words }, isWhole: isAll };
}

async function readPoolOfWords(db: Db, words: Words): Promise<Pool> {
  const tests = [
    ...words.phrases.map(testPhrase),
    ...words.excluded.map(testExcluded),
    ...readQueryWords(words.plain).map(testWord),
  ];
  const all = (conditions: readonly SQL[]) => sql.join([sql`true`, ...conditions], sql` and `);
  const has = all(tests.map((test) => test.has));
  const first = await readCandidates(
    db,
    sql`select item_id, true as matches from ${firstTexts(lookedAt)} t where ${has}`,
  );
  if (first.ids.length >= enough) return { source: { ids: first.ids, words }, isWhole: false };
  const counts = await countEach(db, tests);
  if (Math.min(...counts) > maxListed) return { source: { ids: first.ids, words }, isWhole: false };
  // The index would read its long lists of frequent words as well, so these are looked for in the texts found.
  const listed = tests.flatMap(({ mayHave }, i) =>
    mayHave && (counts[i] ?? 0) <= maxListed ? [mayHave] : [],
  );
  const { ids, isAll } = await readCandidates(
    db,
    sql`select item_id, ${has} as matches from product_text t where ${all(listed)}`,
  );
  return { source: { ids, words }, isWhole: isAll };
}

/** Those that match of as many products as a pool holds. `from` has `item_id, matches`. */
async function readCandidates(db: Db, from: SQL): Promise<{ ids: number[]; isAll: boolean }> {
  const rows = await db.execute<{ item_id: number; matches: boolean }>(
    sql`${from} limit ${maxPool + 1}`,
  );
  const ids = rows.slice(0, maxPool).flatMap((row) => (row.matches ? [row.item_id] : []));
  return { ids, isAll: rows.length <= maxPool };
}

/** About how many products pass each test; 0 where there are few products. */
async function countEach(db: Db, tests: readonly TextTest[]): Promise<number[]> {
  const counts = tests.map(({ has }) => sql`count(*) filter (where ${has})`);
  const [row] = await db.execute<{ met: number[] }>(sql`
    select json_build_array(${sql.join(counts, sql`, `)}) as met
    from ${firstTexts(sampled)} t having count(*) = ${sampled}`);
  if (!row) return tests.map(() => 0);
  const products = await countLiving(db);
  return row.met.map((met) => (met / sampled) * products);
}

function narrowest({ gtins, shopIds, maxAgeSeconds }: ProductQuery, now: Date): SQL {
  if (gtins?.length)
    return sql`select distinct item_id, true as matches from variation where gtin in ${textList(gtins)}`;
  if (maxAgeSeconds !== undefined)
    return sql`select item_id, true as matches from product_schedule
      where checked_at >= ${checkedSince(now, maxAgeSeconds)} order by checked_at desc`;
  if (shopIds?.length)
    return sql`select item_id, true as matches from product
      where shop_id in ${textList(shopIds)} and state <> 'gone'`;
  return sql`select item_id, true as matches from product where state <> 'gone'
    order by popularity desc nulls last, modified desc nulls last`;
}

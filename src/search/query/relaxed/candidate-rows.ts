import { sql, type SQL } from "drizzle-orm";
import { idList } from "../../../db/rows.ts";
import { executePrepared, type Db } from "../../../db/open.ts";
import { firstTexts } from "../../../db/sample.ts";
import type { ProductQuery } from "../query.ts";
import { restrictions } from "../sql/sql-matches.ts";

/**
 * An index lists every product of a word, so that words of very many products cost the more the larger the
 * catalogue is. If even the rarest of a set has more than these, only the first products of the table are
 * looked at: a word of so many is among them as well.
 */
export const maxListed = 50_000;
const lookedAt = 10_000;
/** So many products that have the words are examined for the restrictions of the search. */
const maxExamined = 2000;

export interface CandidateRow extends Record<string, unknown> {
  id: number;
  /** Folded, as is what stands around it: categories and shop name. */
  title: string;
  context: string;
  in_stock: boolean;
  popularity: number;
}

/** Words that a product is to have together. */
export interface WordSet {
  tsquery: string;
  /** Each is in more products than an index should be asked for. */
  isFrequent: boolean;
}

export interface Wanted {
  sets: readonly WordSet[];
  perSet: number;
  query: ProductQuery;
  now: Date;
  /** Conditions on `product_text t`. */
  strict: readonly SQL[];
}

/** The products that have all words of any of the sets, so many of each set. */
export async function readRows(
  db: Db,
  { sets, perSet, query, now, strict }: Wanted,
): Promise<readonly CandidateRow[]> {
  const restricted = restrictions(query, now);
  const few = query.shopIds?.length || query.gtins?.length ? await readFew(db, restricted) : null;
  const looked = few
    ? sql`select t.* from ${idList(few)} as w(id)
        cross join lateral (select * from product_text own where own.item_id = id offset 0) t`
    : firstTexts(lookedAt);
  const allowed =
    few || restricted.length === 0
      ? sql``
      : sql`join product p on p.item_id = t.item_id and ${sql.join(restricted, sql` and `)}`;
  const hasWords = sql`t.words @@ wanted::tsquery`;
  const found = (chosen: readonly WordSet[], texts: SQL, conditions: readonly SQL[]) => sql`
    select found.*
    from json_array_elements_text(${JSON.stringify(chosen.map(({ tsquery }) => tsquery))}::text::json) wanted
    cross join lateral (
      select t.item_id as id, left(t.body, t.title_length) as title, substr(t.body, t.title_length + 1) as context,
        t.in_stock, t.popularity
      from (select * from ${texts} t where ${sql.join([...conditions, ...strict], sql` and `)} limit ${maxExamined}) t ${allowed} limit ${perSet}
    ) found`;
  // The condition stands there twice, so that Postgres expects few products and uses the index. Of words that it does
  // not know when it plans, it expects every 200th product to have them. With a limit it then read the whole table for
  // each rare word, as soon as a connection had planned the statement for all words: 274 ms instead of 0.1 ms with
  // 47,000 products.
  const isListed = (set: WordSet) => !few && !set.isFrequent;
  const statement = sql`
    with looked as materialized (${looked})
    select distinct on (found.id) found.* from (
      ${found(sets.filter(isListed), sql`product_text`, [hasWords, hasWords])}
      union all
      ${found(
        sets.filter((set) => !isListed(set)),
        sql`looked`,
        [hasWords],
      )}
    ) found`;
  const isUsual = restricted.length === 0 && strict.length === 0;
  return isUsual ? executePrepared(db, statement) : db.execute<CandidateRow>(statement);
}

/** The products that these restrictions allow, if they are few. */
async function readFew(db: Db, restricted: readonly SQL[]): Promise<number[] | null> {
  const rows = await db.execute<{ item_id: number }>(sql`
    select p.item_id from product p where ${sql.join([...restricted], sql` and `)} limit ${maxExamined + 1}`);
  return rows.length > maxExamined ? null : rows.map((row) => row.item_id);
}

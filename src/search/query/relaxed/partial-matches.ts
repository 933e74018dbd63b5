import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Db } from "../../../db/open.ts";
import { firstTexts } from "../../../db/sample.ts";
import { isAccessory, partWords } from "../../index/accessory.ts";
import { toWords } from "../../index/words.ts";
import type { ProductQuery } from "../query.ts";
import { kindOf, type QueryWord, type WordKind } from "../words/query-words.ts";
import { restrictions, strictWords } from "../sql/sql-matches.ts";
import { withAlike } from "../words/sounds.ts";
import { createTextMatcher, type TextMatch } from "../words/text-match.ts";
import { functionWordShare } from "../../index/function-words.ts";
import type { ReadWordFrequencies } from "../words/word-frequencies.ts";
import { phraseTsquery, toTsquery } from "../words/word-sql.ts";

/** A product that has most of a query's words, or other forms of all. */
export interface PartialMatch {
  id: number;
  /** As typed; empty: all are there in some form. */
  missing: string[];
}

export interface PartialMatchOptions {
  searchDb: Db;
  readFrequencies: ReadWordFrequencies;
}

/** Products read of each set of words that is looked for: enough for some pages, the same for all of them. */
const productsPerSet = (perPage: number) => Math.min(100, Math.max(60, 3 * perPage));
/**
 * An index lists every product of a word, so that words of very many products cost the more the larger the
 * catalogue is. If even the rarest of a set has more than these, only the first products of the table are
 * looked at: a word of so many is among them as well.
 */
const maxListed = 50_000;
const lookedAt = 10_000;
/** So many products that have the words are examined for the restrictions of the search. */
const maxExamined = 2000;
const maxRareSets = 16;
const maxFrequentSets = 5;
/** Rarity is measured as if there were at least so many products: in a handful, every word is frequent. */
const minProducts = 1000;
/** What a word weighs beside others of its rarity: what a thing is matters more than a number or a unit. */
const shares: Record<WordKind, number> = {
  name: 1,
  measure: 0.5,
  "function word": functionWordShare,
};
/** A text that has a word less well than this lacks it. */
const isFound = 0.5;
const maxMatches = 100;
/** What a product has to cover: a share of the rarity of all words that occur, and of what the best product covers. */
const minCoverage = 0.2;
const minOfBest = 0.35;

/** What was found of a query's words, before it is known which products have them all. */
export interface Candidates {
  words: readonly QueryWord[];
  /** By word: its rarity, 0 for one that no product has. */
  weights: readonly number[];
  hasPhrase: boolean;
  found: readonly Candidate[];
}

/** About how many products have all of the words, if these have nothing to do with each other. */
export async function likelyFound(
  { readFrequencies }: PartialMatchOptions,
  words: readonly QueryWord[],
): Promise<number> {
  const { products, countOf } = await readFrequencies();
  return words.reduce((found, word) => (found * countOf(word)) / Math.max(1, products), products);
}

/**
 * Reads products that have words of the query, those that weigh most by their rarity, in one statement;
 * also products that lack a word, or have it in another form.
 */
export async function readCandidates(
  { searchDb, readFrequencies }: PartialMatchOptions,
  query: ProductQuery,
  typedWords: readonly QueryWord[],
  now: Date,
): Promise<Candidates> {
  const typed = toWords(query.q ?? "");
  const hasPhrase = typed.phrases.length > 0;
  const { products, countOf, compoundsOf, longerThan, endOf, alike } = await readFrequencies();
  const words = withAlike(typedWords, alike).map((word): QueryWord => {
    const loose = [...word.loose, ...compoundsOf(word), ...longerThan(word)];
    return { ...word, loose, kindOf: countOf(word) === 0 ? endOf(word) : undefined };
  });
  const counts = words.map(countOf);
  const kinds = words.map(kindOf);
  const perSet = productsPerSet(query.perPage);
  const toSet = (places: readonly number[]): WordSet => ({
    tsquery: toTsquery(places.flatMap((i) => words[i] ?? [])),
    isFrequent: Math.min(...places.map((i) => counts[i] ?? 0)) > maxListed,
  });
  // A phrase is enough to be found by, also where no word is there.
  const sets = [
    ...setsOf(counts, perSet, kinds).map(toSet),
    ...typed.phrases.map((phrase) => ({ tsquery: phraseTsquery(phrase), isFrequent: false })),
  ].filter(({ tsquery }) => tsquery !== "");
  const read = async (wanted: readonly WordSet[]) =>
    wanted.length === 0
      ? []
      : readRows(searchDb, { sets: wanted, perSet, query, now, strict: strictWords(typed) });
  const together = await read(sets);
  // Frequent words may still never stand together.
  const rows = together.length > 0 ? together : await read(words.map((_, i) => toSet([i])));
  const matchText = createTextMatcher(words);
  const found = rows.map((row) => ({ row, match: matchText(row.title, row.context) }));
  const exact = counts.map((count, i) =>
    count > perSet ? count : found.filter(({ match }) => (match.words[i]?.quality ?? 0) > 0).length,
  );
  return {
    words,
    weights: weightsOf(kinds, exact, Math.max(products, minProducts)),
    hasPhrase,
    found,
  };
}

/** Words that a product is to have together. */
interface WordSet {
  tsquery: string;
  /** Each is in more products than an index should be asked for. */
  isFrequent: boolean;
}

interface Wanted {
  sets: readonly WordSet[];
  perSet: number;
  query: ProductQuery;
  now: Date;
  /** Conditions on `product_text t`. */
  strict: readonly SQL[];
}

/** The products that have all words of any of the sets, so many of each set. */
async function readRows(
  db: Db,
  { sets, perSet, query, now, strict }: Wanted,
): Promise<readonly CandidateRow[]> {
  const restricted = restrictions(query, now);
  const few = query.shopIds?.length || query.gtins?.length ? await readFew(db, restricted) : null;
  const looked = few
    ? sql`select t.* from json_array_elements_text(${JSON.stringify(few)}::text::json) id
        cross join lateral (select * from product_text own where own.item_id = id::bigint offset 0) t`
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

interface Candidate {
  row: CandidateRow;
  match: TextMatch;
}

interface CandidateRow extends Record<string, unknown> {
  id: number;
  /** Folded, as is what stands around it: categories and shop name. */
  title: string;
  context: string;
  in_stock: boolean;
  popularity: number;
}

/** Rarity of each word as in BM25; 0 for one that no product has. */
function weightsOf(
  kinds: readonly WordKind[],
  counts: readonly number[],
  products: number,
): number[] {
  return counts.map((count, i) => {
    if (count === 0) return 0;
    const rarity = Math.log(1 + (products - count + 0.5) / (count + 0.5));
    return rarity * shares[kinds[i] ?? "name"];
  });
}

/**
 * Which words to look for together, as their places, by how many products have each. Of a rare word all
 * products are read, whatever else they have; frequent words are looked for together, all first, then all
 * but one, then in pairs, then the rarest alone. Where something else was typed, function words are not
 * looked for, nor frequent numbers and units without a name.
 */
export function setsOf(
  counts: readonly number[],
  perSet: number,
  kinds: readonly WordKind[] = [],
): number[][] {
  const all = counts.map((_, i) => i).toSorted((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  const places = orAll(all, (i) => kinds[i] !== "function word");
  const rare = places.filter((i) => (counts[i] ?? 0) <= perSet);
  const frequent = places.filter((i) => (counts[i] ?? 0) > perSet);
  // What is left out first is the most frequent.
  const butOne = frequent.map((left) => frequent.filter((i) => i !== left)).toReversed();
  const top = frequent.slice(0, 4);
  const pairs = top.flatMap((a, i) => top.slice(i + 1).map((b) => [a, b]));
  const together = [frequent, ...butOne, ...pairs, frequent.slice(0, 1)].filter(
    (set) => set.length > 0,
  );
  const unique = [...new Map(together.map((set) => [set.join(), set])).values()];
  const named = orAll(unique, (set) => set.some((i) => kinds[i] !== "measure"));
  return [...rare.slice(0, maxRareSets).map((i) => [i]), ...named.slice(0, maxFrequentSets)];
}

function orAll<T>(list: readonly T[], isWanted: (value: T) => boolean): readonly T[] {
  return list.some(isWanted) ? list.filter(isWanted) : list;
}

/** Words that no product has, as far as was read. */
export function unknownWords({ words, found }: Candidates): QueryWord[] {
  const isThere = (i: number) =>
    found.some(({ match }) => {
      const { quality = 0, isNear = false } = match.words[i] ?? {};
      return quality > 0 && !isNear;
    });
  return words.filter((_, i) => !isThere(i));
}

/** Best first, at most a hundred, none of `known`; only products that have much of what was typed. */
export function rankCandidates(
  { words, weights, hasPhrase, found }: Candidates,
  known: ReadonlySet<number>,
): PartialMatch[] {
  const total = sum(weights);
  const asksForPart = words.some(({ forms }) => forms.some((form) => partWords.includes(form)));
  const judged = found
    .filter(({ row }) => !known.has(row.id))
    .map(({ row, match }) => {
      const coverage =
        sum(match.words.map(({ quality }, i) => quality * (weights[i] ?? 0))) / (total || 1);
      const lower = !asksForPart && isAccessory(row.title) ? 0.1 : 0;
      return { row, match, coverage, score: scoreOf(match, coverage, row) - lower };
    })
    .toSorted((a, b) => b.score - a.score || a.row.id - b.row.id);
  const best = Math.max(0, ...judged.map(({ coverage }) => coverage));
  const floor = Math.min(best, Math.max(minCoverage, best * minOfBest));
  return judged
    .filter(({ coverage }) => hasPhrase || (coverage > 0 && coverage >= floor))
    .slice(0, maxMatches)
    .map(({ row, match }) => ({ id: row.id, missing: missingOf(words, match) }))
    .toSorted((a, b) => Math.sign(a.missing.length) - Math.sign(b.missing.length));
}

/** What counts most comes first: rarity covered, then neighbours and whole titles, then stock and popularity. */
function scoreOf(match: TextMatch, coverage: number, row: CandidateRow): number {
  return (
    coverage +
    0.12 * match.adjacency +
    0.12 * match.wholeness +
    (row.in_stock ? 0.01 : 0) +
    0.0001 * Math.min(100, row.popularity)
  );
}

export function missingOf(words: readonly QueryWord[], match: TextMatch): string[] {
  return words.filter((_, i) => (match.words[i]?.quality ?? 0) < isFound).map(({ text }) => text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

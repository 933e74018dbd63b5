import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Db } from "../../db/open.ts";
import { unitSpellings } from "../index/word-forms.ts";
import { toWords } from "../index/words.ts";
import type { ProductQuery } from "./query.ts";
import type { QueryWord } from "./query-words.ts";
import { restrictions, strictWords } from "./sql-matches.ts";
import { matchText, type TextMatch } from "./text-match.ts";
import { functionWordShare, isFunctionWord } from "../index/function-words.ts";
import type { ReadWordFrequencies } from "./word-frequencies.ts";
import { phraseTsquery, toTsquery } from "./word-sql.ts";

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
const maxRareSets = 8;
const maxFrequentSets = 5;
/** Rarity is measured as if there were at least so many products: in a handful, every word is frequent. */
const minProducts = 1000;
/** What a number or a unit weighs beside a word of the same rarity: what a thing is matters more. */
const measureShare = 0.5;
/** How well a text has to have a word not to lack it. */
const isFound = 0.5;
const maxMatches = 100;
/** Of the rarity of all words that occur at all, what a product has to have; and of what the best has. */
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
  words: readonly QueryWord[],
  now: Date,
): Promise<Candidates> {
  const typed = toWords(query.q ?? "");
  const hasPhrase = typed.phrases.length > 0;
  const { products, countOf } = await readFrequencies();
  const counts = words.map(countOf);
  const perSet = productsPerSet(query.perPage);
  // A phrase is enough to be found by, also where no word is there.
  const sets = [
    ...setsOf(counts, perSet).map((set) => toTsquery(set.flatMap((i) => words[i] ?? []))),
    ...typed.phrases.map(phraseTsquery),
  ].filter((set) => set !== "");
  const restricted = [...restrictions(query, now), ...strictWords(typed)];
  const together = await readRows(searchDb, sets, perSet, restricted);
  // Frequent words may still never stand together.
  const rows =
    together.length > 0
      ? together
      : await readRows(
          searchDb,
          words.map((word) => toTsquery([word])),
          perSet,
          restricted,
        );
  const found = rows.map((row): Candidate => {
    const [title, context] = partsOf(row);
    return { row, match: matchText(words, title, context) };
  });
  const exact = counts.map((count, i) =>
    count > perSet ? count : found.filter(({ match }) => (match.words[i]?.quality ?? 0) > 0).length,
  );
  return {
    words,
    weights: weightsOf(words, exact, Math.max(products, minProducts)),
    hasPhrase,
    found,
  };
}

/** The products that have all words of any of the sets, so many of each set. */
async function readRows(
  db: Db,
  sets: readonly string[],
  perSet: number,
  restricted: SQL[],
): Promise<readonly CandidateRow[]> {
  // A join for each set only where it leaves something out.
  const from =
    restricted.length === 0
      ? sql`product_text t`
      : sql`product_text t join product p on p.item_id = t.item_id
          and ${sql.join(restricted, sql` and `)}`;
  const statement = sql`
    select p.item_id as id, p.title, chosen.body, p.stock > 0 as in_stock, p.popularity
    from (
      select found.item_id, any_value(found.body) as body
      from json_array_elements_text(${JSON.stringify(sets)}::text::json) wanted
        cross join lateral (
          select t.item_id, t.body from ${from} where t.words @@ wanted::tsquery limit ${perSet}
        ) found
      group by found.item_id
    ) chosen join product p using (item_id)
    where p.state <> 'gone'`;
  const isUsual = restricted.length === 0;
  return isUsual ? executePrepared(db, statement) : db.execute<CandidateRow>(statement);
}

interface Candidate {
  row: CandidateRow;
  match: TextMatch;
}

interface CandidateRow extends Record<string, unknown> {
  id: number;
  title: string;
  body: string;
  in_stock: boolean;
  popularity: number;
}

/** Rarity of each word as in BM25; 0 for one that no product has. */
function weightsOf(
  words: readonly QueryWord[],
  counts: readonly number[],
  products: number,
): number[] {
  return counts.map((count, i) => {
    if (count === 0) return 0;
    const rarity = Math.log(1 + (products - count + 0.5) / (count + 0.5));
    const word = words[i]?.forms[0] ?? "";
    if (isFunctionWord(word)) return rarity * functionWordShare;
    const isMeasure = /^[\d./]+$/.test(word) || unitSpellings(word).length > 0;
    return isMeasure ? rarity * measureShare : rarity;
  });
}

/**
 * Which words to look for together, as their places, by how many products have each. Of a rare word all
 * products are read, whatever else they have; frequent words are looked for in company, all first, then all
 * but one, then in pairs, then the rarest alone.
 */
export function setsOf(counts: readonly number[], perSet: number): number[][] {
  const places = counts.map((_, i) => i).toSorted((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
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
  return [...rare.slice(0, maxRareSets).map((i) => [i]), ...unique.slice(0, maxFrequentSets)];
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
  const judged = found
    .filter(({ row }) => !known.has(row.id))
    .map(({ row, match }) => {
      const coverage =
        sum(match.words.map(({ quality }, i) => quality * (weights[i] ?? 0))) / (total || 1);
      return { row, match, coverage, score: scoreOf(match, coverage, row) };
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

/** The stored text begins with the title; it is folded, as the words are. */
function partsOf({ title, body }: CandidateRow): [title: string, context: string] {
  let end = body.indexOf(" / ");
  for (let i = title.split(" / ").length; i > 1 && end >= 0; i -= 1)
    end = body.indexOf(" / ", end + 3);
  return end < 0 ? [body, ""] : [body.slice(0, end), body.slice(end + 3)];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

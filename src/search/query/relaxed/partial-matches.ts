import type { Db } from "../../../db/open.ts";
import { isAccessory, partWords } from "../../index/accessory.ts";
import { toWords } from "../../index/words.ts";
import type { ProductQuery } from "../query.ts";
import { kindOf, type QueryWord, type WordKind } from "../words/query-words.ts";
import { strictWords } from "../sql/sql-matches.ts";
import { maxListed, readRows, type CandidateRow, type WordSet } from "./candidate-rows.ts";
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
/** How much lower each further product stands that lacks the same words. */
const lowerEach = 0.02;

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

interface Candidate {
  row: CandidateRow;
  match: TextMatch;
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
  return words.filter((_, i) => !found.some(({ match }) => isThere(match, i)));
}

/** Whether a text has this word, not only parts of it. */
export function isThere(match: TextMatch, word: number): boolean {
  const { quality = 0, isNear = false } = match.words[word] ?? {};
  return quality > 0 && !isNear;
}

/** Best first, at most a hundred, none of `known`; only products that have much of what was typed. */
export function rankCandidates(candidates: Candidates, known: ReadonlySet<number>): PartialMatch[] {
  const { words, weights, hasPhrase, found } = candidates;
  const unknown = unknownWords(candidates);
  const there = words.filter((word) => !unknown.includes(word));
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
  const matches = judged
    .filter(({ coverage }) => hasPhrase || (coverage > 0 && coverage >= floor))
    .slice(0, maxMatches)
    .map(({ row, match, score }) => ({
      id: row.id,
      missing: missingOf(words, match, there),
      score,
    }));
  return mixed(matches).toSorted(
    (a, b) => Math.sign(a.missing.length) - Math.sign(b.missing.length),
  );
}

/**
 * Products that lack the same words go a little lower one after another, so that others come between: of `duschgel herren`
 * the rarer word alone does not fill the page.
 */
function mixed(matches: readonly (PartialMatch & { score: number })[]): PartialMatch[] {
  const before = new Map<string, number>();
  return matches
    .map(({ id, missing, score }) => {
      const lacked = missing.join(" ");
      const nth = before.get(lacked) ?? 0;
      before.set(lacked, nth + 1);
      return { match: { id, missing }, score: lacked === "" ? score : score - lowerEach * nth };
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ match }) => match);
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

/** Of words that are `there`, in other products, also those that this one has only parts of. */
export function missingOf(
  words: readonly QueryWord[],
  match: TextMatch,
  there: readonly QueryWord[] = [],
): string[] {
  const isMissing = (word: QueryWord, i: number) => {
    const { quality = 0, isNear = false } = match.words[i] ?? {};
    return quality < isFound || (isNear && there.includes(word));
  };
  return words.filter(isMissing).map(({ text }) => text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

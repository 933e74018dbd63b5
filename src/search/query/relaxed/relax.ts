import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "../../../db/open.ts";
import { isTimeout } from "../../../db/transact.ts";
import type { Clock } from "../../../lib/clock.ts";
import { fold } from "../../index/fold.ts";
import { isFunctionWord, withoutFunctionWords } from "../../index/function-words.ts";
import { toWords, typedBarcode } from "../../index/words.ts";
import { corrected, findCorrections, misread, mistaken, readCorrections } from "./correction.ts";
import { appendMatches } from "./append.ts";
import { blend, type FindByMeaning } from "./meaning.ts";
import { findLatinCorrections } from "./latin-correction.ts";
import { findJapaneseCorrections, tornKatakana } from "./japanese-correction.ts";
import {
  likelyFound,
  rankCandidates,
  unknownWords,
  readCandidates,
  type Candidates,
} from "./partial-matches.ts";
import type { ProductHits, ProductQuery } from "../query.ts";
import { readQueryWords, type QueryWord } from "../words/query-words.ts";
import type { SearchClient } from "../search-client.ts";
import { heardWords, without, withUnreadWords } from "./unread-words.ts";
import type { ReadWordFrequencies } from "../words/word-frequencies.ts";

export interface RelaxOptions {
  searchDb: Db;
  searchClient: SearchClient;
  clock: Clock;
  readFrequencies: ReadWordFrequencies;
  /** Products near in meaning, of which `ratio` are shown among what lacks words. */
  meaning: { find: FindByMeaning; ratio: number } | null;
}

/** If Postgres is slow, the search is answered without partial matches. */
export async function inTime<T>(reading: Promise<T>): Promise<T | "timed out"> {
  try {
    return await reading;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return "timed out";
  }
}

/** Finds what has every word; pages from 1. */
type FindAll = (query: ProductQuery) => Promise<ProductHits>;

/** Where fewer have every word, others follow, also after smaller pages: these all find the same products. */
const fewestFound = 20;
const enough = ({ perPage }: ProductQuery) => Math.max(fewestFound, perPage);

/** A number with its unit, which the engine joins in a phrase and not in a title: `"22cm 木柄"`. */
const measured = /\d ?[\p{L}\p{So}]/u;

/**
 * Searches for products with every word. If they do not fill a page, products with most of the words follow
 * (`match` and `missing` of the hits). A word that no product has is replaced by a near one that some
 * have. Queries without words, and those that ask for all words, are answered as they are.
 */
export function createRelaxedSearch(
  options: RelaxOptions,
): (query: ProductQuery, findAll: FindAll) => Promise<ProductHits> {
  const { searchDb, searchClient, clock, meaning } = options;

  async function search(
    query: ProductQuery,
    findAll: FindAll,
    mayCorrect: boolean,
  ): Promise<ProductHits> {
    const { plain, phrases } = toWords(query.q ?? "");
    const words = readQueryWords(plain);
    const isExact = words.length === 0 && !phrases.some((phrase) => measured.test(phrase));
    if (query.match === "all" || isExact) return findAll(query);
    const [hits, ahead] = await Promise.all([
      findAll(query),
      words.length > 1 ? readAhead(query, words) : null,
    ]);
    if (hits.found >= enough(query)) return withReadCorrections(hits);
    if (words.length === 0 && hits.found > 0) return hits;
    const isWhole = query.page === 1 && hits.ids.length >= hits.found;
    const found = isWhole ? hits : await findAll({ ...query, page: 1, perPage: enough(query) });
    const candidates = ahead ?? (await candidatesOf(query, words));
    // Postgres took too long: what has every word is answer enough.
    if (candidates === "timed out") {
      const warning = "the database took too long: products with most of the words are left out";
      return { ...hits, warnings: [...hits.warnings, warning] };
    }
    const unknown = unknownWords(candidates);
    const first = found.degraded
      ? found
      : without(
          withUnreadWords(found, candidates),
          misread(plain, heardWords(candidates, words), found.titles),
        );
    const torn = tornKatakana(plain, candidates);
    if (first.found === 0 && unknown.length + torn.length > 0 && mayCorrect) {
      const q = corrected(query.q ?? "", await correctionsOf(candidates, torn, hits));
      const instead = q === null ? null : await search({ ...query, q }, findAll, false);
      if (instead && (instead.ids.length > 0 || query.page > 1))
        return { ...instead, corrected: q };
    }
    const known = new Set(first.ids);
    const matches = rankCandidates(candidates, known);
    const near = meaning && !hits.degraded ? await meaning.find(query, known) : [];
    const others = meaning ? blend(matches, near, meaning.ratio) : matches;
    const there = candidates.words.filter((word) => !unknown.includes(word));
    const late = mistaken(there, first.titles);
    return appendMatches(options, query, {
      first: withReadCorrections(first, unknown),
      matches: others,
      late,
    });

    function withReadCorrections(found: ProductHits, missed = words): ProductHits {
      if (found.titles.size === 0) return found;
      const q = corrected(query.q ?? "", readCorrections(missed, [...found.titles.values()]));
      return q === null ? found : { ...found, corrected: q };
    }
  }

  /** The engine corrects words of Latin letters, Postgres those of Japanese ones and what the engine leaves. */
  async function correctionsOf(
    candidates: Candidates,
    torn: ReturnType<typeof tornKatakana>,
    { degraded }: ProductHits,
  ): Promise<Map<string, string>> {
    const missed = unknownWords(candidates);
    const known = candidates.words.filter((word) => !missed.includes(word));
    // They are left out instead, and would no longer be known: beste prices for best price.
    const unknown = missed.filter(({ text }) => !isFunctionWord(fold(text)));
    const none = new Map<string, string>();
    const readLatin = async () => {
      const byEngine = degraded ? none : await findCorrections(searchClient, unknown);
      const left = unknown.filter(({ text }) => !byEngine.has(text));
      const bySql = await inTime(findLatinCorrections(options, left, known));
      return [...byEngine, ...(bySql === "timed out" ? none : bySql)];
    };
    const [latin, japanese] = await Promise.all([
      readLatin(),
      inTime(findJapaneseCorrections(searchDb, [...torn, ...unknown])),
    ]);
    return new Map([...latin, ...(japanese === "timed out" ? none : japanese)]);
  }

  const candidatesOf = (query: ProductQuery, words: readonly QueryWord[]) =>
    inTime<Candidates>(readCandidates(options, query, words, clock.now()));

  /** If few products are likely to have all words, partial matches are read while the engine searches; else null. */
  async function readAhead(query: ProductQuery, words: readonly QueryWord[]) {
    // The request to the engine leaves first.
    await nextTurn();
    const found = await inTime(likelyFound(options, words));
    return found !== "timed out" && found < enough(query) ? candidatesOf(query, words) : null;
  }

  return async (query, findAll) => {
    const hits = await search(query, findAll, true);
    if (hits.found > 0) return hits;
    const named = withoutFunctionWords(hits.corrected ?? query.q ?? "");
    const instead =
      named === null || query.match === "all"
        ? null
        : await search({ ...query, q: named }, findAll, false);
    if (instead && instead.found > 0) return { ...instead, corrected: named };
    return (await findByBarcode(query, findAll)) ?? hits;
  };
}

/** Where no text has a typed barcode, or not all that stands beside it (EAN …), the products that it is of. */
async function findByBarcode(
  { q = "", ...query }: ProductQuery,
  findAll: FindAll,
): Promise<ProductHits | null> {
  const barcode = typedBarcode(q);
  if (barcode === null || query.gtins?.length) return null;
  if (!barcode.isAlone && query.match === "all") return null;
  const hits = await findAll({ ...query, gtins: [barcode.gtin] });
  if (hits.found === 0) return null;
  return barcode.isAlone ? hits : { ...hits, corrected: barcode.text };
}

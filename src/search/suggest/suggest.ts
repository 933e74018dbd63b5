import type { ProductRecord, ReadProducts } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import { completionsOf, markWords } from "./completions.ts";
import type { SearchAnswer } from "../engine/answers.ts";
import { EngineUnavailable } from "../engine/engine.ts";
import { idSearch, readFormatted } from "../query/engine-query.ts";
import { inTime } from "../query/relaxed/relax.ts";
import { readQueryWords } from "../query/words/query-words.ts";
import { searchDegraded } from "../query/sql/fallback.ts";
import type { SearchProducts } from "../query/product-search.ts";
import type { SearchClient } from "../query/search-client.ts";
import type { ReadWordFrequencies } from "../query/words/word-frequencies.ts";
import { fold } from "../index/fold.ts";
import { normalise, withoutMarks } from "../index/normalise.ts";
import { readableQuery, toWords } from "../index/words.ts";

export type Suggestion =
  | { kind: "words"; text: string }
  | { kind: "category"; text: string; category: string }
  | { kind: "shop"; text: string; shopId: string };

export interface Suggestions {
  /** Likeliest first; each of them finds a product. */
  items: Suggestion[];
  degraded: boolean;
}

export type Suggest = (q: string, limit: number) => Promise<Suggestions>;

const titlesRead = 30;
const maxCategories = 3;
const maxShops = 2;
/** Each is completed by requests of its own. */
const otherBeginnings = 3;
const offersOfOther = 3;

type Complete = (typed: string, limit: number) => Promise<Suggestion[]>;
/** The word that is being typed. */
const lastWord = /(?:[a-z\d]+|[^\sa-z\d]+)$/i;
/** The letter of a kana that is being typed: スニーk. */
const unfinished = /(?<=[ぁ-ヺー])[bcdfghjkmnprstwyz]{1,2}$/;

/**
 * Completions made of the titles, categories and shop names that the typed beginning finds, so that
 * there is nothing to keep in step and typos and spellings are the engine's own. Where these offer nothing,
 * those of the corrected text, or of what has most of its words.
 */
export function createSuggest(options: {
  searchDb: Db;
  searchClient: SearchClient;
  search: SearchProducts;
  readFrequencies: ReadWordFrequencies;
  cache: Cache;
  readProducts: ReadProducts;
  clock: Clock;
}): Suggest {
  const { searchDb, searchClient, search, readFrequencies, cache, readProducts, clock } = options;
  const suggestionFilter = createSuggestionFilter(searchClient, cache);
  return async (q, limit) => {
    const typed = readableQuery(q);
    if (typed === "") return { items: [], degraded: false };
    try {
      return { items: await suggestItems(typed, limit), degraded: false };
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      return { items: await suggestDegraded(typed, limit), degraded: true };
    }
  };

  async function complete(typed: string, limit: number): Promise<Suggestion[]> {
    const { answers } = await searchClient.ask(toQueries(typed));
    const ids = answers.flatMap((answer) => answer.hits.map((hit) => Number(hit.id)));
    const live = livingOf((await readProducts(ids)).records);
    const [titles, categories, shops] = answers;
    const wanted = wantedOf(typed);
    // Signs alone, and what is to be left out, find every product.
    const hasLetters = wanted.some((word) => /[\p{L}\p{N}]/u.test(word));
    const offers = [
      ...distinct(categoriesOf(categories, live)).slice(0, maxCategories),
      ...(hasLetters ? distinct(shopsOf(shops, live)).slice(0, maxShops) : []),
      ...wholeFirst(typed, wordsOf(markedTitles(titles, live, wanted))),
    ];
    return suggestionFilter(distinct(offers), limit);
  }

  async function suggestItems(typed: string, limit: number): Promise<Suggestion[]> {
    const completed = await complete(typed, limit);
    const isKana = /[ぁ-ヺー]$/.test(typed);
    if (completed.some(({ text }) => isWhole(typed, text))) return completed;
    if (completed.length > 0 && !isKana) return completed;
    // The engine knows whole words of kana: of スノーピ it makes スヌーピー, not スノーピーク.
    const near = isKana ? await suggestNear(typed, limit) : [];
    const whole = near.filter(({ text }) => isWhole(typed, text));
    const others = whole.length > 0 ? [] : await completeOthers(typed, limit, complete);
    const offers = distinct([...whole, ...others, ...completed]).slice(0, limit);
    if (offers.length > 0) return offers;
    const composed = typed.replace(unfinished, "");
    return composed === typed ? suggestNear(typed, limit) : suggestItems(composed, limit);
  }

  /** What begins like the last word in other letters: 毛糸 for けい, シャンプー for shanp, Panasonic for パナソ. */
  async function completeOthers(typed: string, limit: number, completed: Complete) {
    const [last = ""] = lastWord.exec(typed) ?? [];
    const before = typed.slice(0, typed.length - last.length);
    const frequencies = await inTime(readFrequencies());
    if (frequencies === "timed out") return [];
    const begun = frequencies.begunBy(last.toLowerCase()).slice(0, otherBeginnings);
    const found = await Promise.all(
      begun.map(async (other) => {
        const offers = await completed(before + other, limit);
        return offers.filter(({ text }) => isWhole(other, text)).slice(0, offersOfOther);
      }),
    );
    return distinct(found.flat());
  }

  async function suggestNear(typed: string, limit: number): Promise<Suggestion[]> {
    const { ids, corrected } = await search({ q: typed, page: 1, perPage: titlesRead });
    if (corrected !== null) return complete(corrected, limit);
    const live = livingOf((await readProducts(ids)).records);
    return suggestionFilter(distinct(wordsOf(markedLive(live, typed))), limit);
  }

  async function suggestDegraded(typed: string, limit: number): Promise<Suggestion[]> {
    const completed = await completeBySql(typed, limit);
    if (completed.length > 0) return completed;
    const others = await completeOthers(typed, limit, completeBySql);
    if (others.length > 0) return others.slice(0, limit);
    // Of words, Postgres knows only the beginnings of longer ones.
    const before = typed.replace(lastWord, "").trim();
    const offers = before === "" ? [] : await completeBySql(typed, titlesRead, before);
    const words = wantedOf(typed);
    return offers.filter(({ text }) => words.every((word) => isWhole(word, text))).slice(0, limit);
  }

  /** What completes it in the products that a search for `q` finds. */
  async function completeBySql(typed: string, limit: number, q = typed): Promise<Suggestion[]> {
    const hits = await searchDegraded(searchDb, clock.now(), { q, page: 1, perPage: titlesRead });
    const live = livingOf((await readProducts(hits.ids)).records);
    return distinct(wordsOf(markedLive(live, typed))).slice(0, limit);
  }
}

function toQueries(q: string): Record<string, unknown>[] {
  const on = (attribute: string) => ({ ...idSearch, q, attributesToSearchOn: [attribute] });
  return [
    { ...on("title"), attributesToHighlight: ["title"], limit: titlesRead },
    { ...on("category_text"), attributesToHighlight: ["category_text"], limit: 10 },
    { ...on("shop_name"), distinct: "shop_id", limit: maxShops },
  ];
}

function wantedOf(q: string): string[] {
  const { plain, phrases } = toWords(q);
  return [...plain, ...phrases];
}

type Live = ReadonlyMap<number, ProductRecord>;

function livingOf(records: Live): Live {
  return new Map([...records].filter(([, record]) => record.state !== "gone"));
}

/** The titles with what was typed, or else with other forms of it. */
function markedLive(live: Live, typed: string): string[] {
  const wanted = wantedOf(typed);
  const forms = readQueryWords(toWords(typed).plain).flatMap((word) => word.forms);
  return [...live.values()].map((record) => {
    const title = normalise(record.title);
    const marked = markWords(title, wanted);
    return marked === title ? markWords(title, forms) : marked;
  });
}

/** As marked by the engine, of products that still have this title. */
function markedTitles(
  answer: SearchAnswer | undefined,
  live: Live,
  wanted: readonly string[],
): string[] {
  return [...readFormatted(answer, "title")].flatMap(([id, marked]) => {
    const record = live.get(id);
    const title = withoutMarks(marked);
    if (!record || !normalise(record.title).startsWith(title)) return [];
    return [marked === title ? markWords(title, wanted) : marked];
  });
}

/** The completions of most titles first, shorter ones first among equals. */
function wordsOf(marked: readonly string[]): Suggestion[] {
  const counts = new Map<string, { text: string; count: number }>();
  for (const text of marked.flatMap(completionsOf)) {
    const key = text.toLowerCase();
    const known = counts.get(key) ?? { text, count: 0 };
    counts.set(key, { ...known, count: known.count + 1 });
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || a.text.length - b.text.length)
    .map(({ text }) => ({ kind: "words", text }));
}

/** The engine marks categories in their joined text, where they have the product's order. */
function categoriesOf(answer: SearchAnswer | undefined, live: Live): Suggestion[] {
  return [...readFormatted(answer, "category_text")].flatMap(([id, marked]): Suggestion[] => {
    const names = live.get(id)?.categories ?? [];
    return names.flatMap((category) => {
      const text = normalise(category);
      const isMarked = marked.split(" / ").some((part) => {
        const plain = withoutMarks(part);
        return part !== plain && plain === text;
      });
      return isMarked ? [{ kind: "category" as const, text, category }] : [];
    });
  });
}

function shopsOf(answer: SearchAnswer | undefined, live: Live): Suggestion[] {
  return (answer?.hits ?? []).flatMap((hit): Suggestion[] => {
    const shop = live.get(Number(hit.id))?.shop;
    return shop ? [{ kind: "shop", text: normalise(shop.shopName), shopId: shop.shopId }] : [];
  });
}

const isWhole = (typed: string, text: string) => fold(text).includes(fold(typed));

/** Those with what was typed as it is come first. */
function wholeFirst(typed: string, offers: readonly Suggestion[]): Suggestion[] {
  const whole = offers.filter(({ text }) => isWhole(typed, text));
  return [...whole, ...offers.filter((offer) => !whole.includes(offer))];
}

function distinct(offers: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return offers.filter(({ text }) => {
    const key = text.toLowerCase();
    return text !== "" && !seen.has(key) && seen.add(key);
  });
}

const trustMs = 600_000;

/**
 * Keeps the suggestions that a search finds. A text cut out of its title may be split into other words
 * than inside it, and then finds nothing; that depends only on the text, so an answer is trusted for
 * ten minutes. The caller has just seen that the product exists.
 */
function createSuggestionFilter(
  searchClient: SearchClient,
  cache: Cache,
): <T extends { text: string }>(offers: readonly T[], limit: number) => Promise<T[]> {
  const known = cache.open<boolean>("suggestion found", trustMs);

  async function learn(texts: readonly string[]): Promise<void> {
    const { answers } = await searchClient.askAnew(
      texts.map((text) => ({ ...idSearch, q: readableQuery(text), limit: 1 })),
    );
    for (const [i, text] of texts.entries()) known.set(text, answers[i]?.hits.length === 1);
  }

  return async (offers, limit) => {
    const likely = offers.slice(0, limit + 2);
    const unknown = likely.flatMap(({ text }) => (known.get(text) === undefined ? [text] : []));
    if (unknown.length > 0) await learn(unknown);
    return likely.filter(({ text }) => known.get(text)).slice(0, limit);
  };
}

import type { Clock } from "../../../lib/clock.ts";
import type { SearchEngine } from "../../engine/engine.ts";
import { embedderName, type Embedder } from "../../index/embedder.ts";
import { fold } from "../../index/fold.ts";
import { toWords } from "../../index/words.ts";
import { toEngineQuery } from "../engine-query.ts";
import { missingOf, type PartialMatch } from "./partial-matches.ts";
import type { ProductQuery } from "../query.ts";
import { toAsked } from "../search-client.ts";
import { readQueryWords } from "../words/query-words.ts";
import { createTextMatcher } from "../words/text-match.ts";

/** Products near in meaning, best first, without those in `known`; empty if the engine cannot answer now. */
export type FindByMeaning = ReturnType<typeof createFindByMeaning>;

/** Every text is near to some other one, so only the first results mean anything. */
const maxMatches = 20;
/**
 * Without a vector the engine still answers, after trying for three seconds (measured with 1.21), so a
 * slow answer counts as failed. Afterwards one search in `restMs` tries again, and no other waits.
 */
const slowMs = 1000;
const restMs = 10_000;

/**
 * Asks the engine's hybrid search. It does not use the breaker of other searches: they must not suffer
 * from a failing embedder.
 */
export function createFindByMeaning(options: {
  engine: SearchEngine;
  clock: Clock;
  servingIndex: () => Promise<string>;
  embedder: Embedder;
}) {
  const { engine, clock, servingIndex, embedder } = options;
  const hybrid = { embedder: embedderName, semanticRatio: embedder.semanticRatio };
  let isFailing = false;
  let restUntilMs = 0;

  return async (query: ProductQuery, known: ReadonlySet<number>): Promise<PartialMatch[]> => {
    const { plain, phrases, excluded } = toWords(query.q ?? "");
    // Meaning can neither require nor exclude words, and only the catalogue knows ages.
    const isStrict = phrases.length + excluded.length > 0 || query.maxAgeSeconds !== undefined;
    const startedMs = clock.monotonicMs();
    if (plain.length === 0 || isStrict || (isFailing && startedMs < restUntilMs)) return [];
    restUntilMs = startedMs + restMs;
    const { page: _page, hitsPerPage: _hitsPerPage, ...rest } = toEngineQuery(query);
    const [sent] = await Promise.allSettled([
      engine.search(await servingIndex(), {
        ...toAsked(rest),
        sort: [],
        hybrid,
        limit: known.size + maxMatches,
        attributesToRetrieve: ["id", "title", "category_text", "shop_name"],
        attributesToHighlight: [],
      }),
    ]);
    isFailing = sent.status === "rejected" || clock.monotonicMs() - startedMs > slowMs;
    if (sent.status === "rejected") return [];
    const words = readQueryWords(plain);
    const matchText = createTextMatcher(words);
    return sent.value.hits
      .filter(({ id }) => !known.has(Number(id)))
      .slice(0, maxMatches)
      .map((hit) => {
        const context = fold(`${String(hit.category_text)} / ${String(hit.shop_name)}`);
        const match = matchText(fold(String(hit.title)), context);
        return { id: Number(hit.id), missing: missingOf(words, match) };
      });
  };
}

/**
 * Merges both lists: of the first results, however many, the share `ratio` comes from `near`. A product
 * in both lists takes its better place.
 */
export function blend(
  matches: readonly PartialMatch[],
  near: readonly PartialMatch[],
  ratio: number,
): PartialMatch[] {
  const placed = [
    ...matches.map((match, i) => ({ match, place: (i + 0.5) / (1 - ratio) })),
    ...near.map((match, i) => ({ match, place: (i + 0.5) / ratio })),
  ].toSorted((a, b) => a.place - b.place);
  const unique = new Map<number, PartialMatch>();
  for (const { match } of placed) if (!unique.has(match.id)) unique.set(match.id, match);
  return [...unique.values()];
}

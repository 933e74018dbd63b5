import type { Cache } from "../../lib/cache.ts";
import { idSearch } from "../query/engine-query.ts";
import type { SearchClient } from "../query/search-client.ts";
import { readableQuery } from "../index/words.ts";

const trustMs = 600_000;

/**
 * Keeps the suggestions that a search finds. A text cut out of its title may be split into other words
 * than inside it, and then finds nothing; that depends only on the text, so an answer is trusted for
 * ten minutes. The caller has just seen that the product exists.
 */
export function createSuggestionFilter(
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

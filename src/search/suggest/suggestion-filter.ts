import type { Cache } from "../../lib/cache.ts";
import type { SearchClient } from "../query/search-client.ts";
import { locales } from "../index/settings.ts";
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
  const known = cache.open<{ isFound: boolean }>("suggestion found", trustMs);
  const recall = (text: string) => known.get(text)?.isFound ?? null;

  async function learn(texts: readonly string[]): Promise<void> {
    const { answers } = await searchClient.askAnew(
      texts.map((text) => ({
        q: readableQuery(text),
        locales,
        matchingStrategy: "all",
        limit: 1,
        attributesToRetrieve: ["id"],
      })),
    );
    for (const [i, text] of texts.entries()) {
      known.set(text, { isFound: (answers[i]?.hits.length ?? 0) > 0 });
    }
  }

  return async (offers, limit) => {
    const likely = offers.slice(0, limit + 2);
    const unknown = likely.filter(({ text }) => recall(text) === null).map(({ text }) => text);
    if (unknown.length > 0) await learn(unknown);
    return likely.filter(({ text }) => recall(text) === true).slice(0, limit);
  };
}

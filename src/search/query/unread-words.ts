import { missingOf, type Candidates } from "./partial-matches.ts";
import type { ProductHits } from "./query.ts";

/** The engine reads the first ten terms of a query, and some words are several terms. */
const readByEngine = 8;

/** The hits of the engine without those that lack a later word of the query: their texts were read by Postgres. */
export function withUnreadWords(hits: ProductHits, { words, found }: Candidates): ProductHits {
  const unread = words.slice(readByEngine).map(({ text }) => text);
  const lacking = new Set(
    found
      .filter(({ match }) => missingOf(words, match).some((text) => unread.includes(text)))
      .map(({ row }) => row.id),
  );
  return without(hits, lacking);
}

/** The hits without these. */
export function without(hits: ProductHits, lacking: ReadonlySet<number>): ProductHits {
  const ids = hits.ids.filter((id) => !lacking.has(id));
  const left = hits.ids.length - ids.length;
  if (left === 0) return hits;
  const facetsExact = Object.fromEntries(
    Object.keys(hits.facetsExact).map((name) => [name, false]),
  );
  return { ...hits, ids, found: hits.found - left, facetsExact };
}

import { missingOf, unknownWords, type Candidates } from "./partial-matches.ts";
import type { ProductHits } from "../query.ts";
import type { QueryWord } from "../words/query-words.ts";
import { createTextMatcher } from "../words/text-match.ts";

/** The engine reads the first ten terms of a query, and some words are several terms. */
const readByEngine = 8;

/**
 * The hits of the engine without those that lack a later word of the query or a fraction, or have a number and its unit apart:
 * their texts were read by Postgres.
 */
export function withUnreadWords(hits: ProductHits, { words, found }: Candidates): ProductHits {
  // Of 4/4 the engine reads two numbers.
  const unread = words
    .filter(({ text }, i) => i >= readByEngine || /^\d\/\d{1,2}$/.test(text))
    .map(({ text }) => text);
  const lacking = new Set(
    found
      .filter(
        ({ match }) =>
          match.words.some(({ isApart }) => isApart) ||
          missingOf(words, match).some((text) => unread.includes(text)),
      )
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

/** Words, with their other letters, that products have in other letters only: カタン for catan. `typed`: without these. */
export function heardWords(candidates: Candidates, typed: readonly QueryWord[]): QueryWord[] {
  const { words, found } = candidates;
  const unknown = new Set(unknownWords(candidates));
  return words.filter((word, i) => {
    const [own] = typed.slice(i, i + 1);
    if (unknown.has(word) || !own || word.forms.length === own.forms.length) return false;
    const matchText = createTextMatcher([own]);
    return !found.some(({ row }) => (matchText(row.title, row.context).words[0]?.quality ?? 0) > 0);
  });
}

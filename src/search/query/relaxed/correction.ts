import { fold, foldLetters } from "../../index/fold.ts";
import { highlightClose, highlightOpen, withoutMarks } from "../../index/normalise.ts";
import { spellingsOf } from "../../index/spellings.ts";
import { idSearch, readFormatted } from "../engine-query.ts";
import type { QueryWord } from "../words/query-words.ts";
import { isCode } from "../words/word-sql.ts";
import type { SearchClient } from "../search-client.ts";
import { countEach } from "../../../lib/collect.ts";

const minLetters = 4;
const titlesRead = 20;
/** A mark, and what follows of its word: the engine marks as many letters as were typed. */
const marked = new RegExp(
  `${highlightOpen}([^${highlightClose}]+)${highlightClose}(\\p{Script=Latin}*)`,
  "gu",
);

/**
 * Replacements from titles for words that no product has, by the typed word: the engine tolerates a
 * letter or two, and its marks show what it matched instead. One request for all words.
 */
export async function findCorrections(
  searchClient: SearchClient,
  words: readonly QueryWord[],
): Promise<Map<string, string>> {
  const long = words.filter(({ text }) => isCorrectable(text));
  if (long.length === 0) return new Map();
  const { answers } = await searchClient.ask(
    long.map(({ text }) => ({
      ...idSearch,
      // The space after it means the whole word, not the beginning of one.
      q: `${text} `,
      attributesToSearchOn: ["title"],
      attributesToHighlight: ["title"],
      limit: titlesRead,
    })),
  );
  const corrections = new Map<string, string>();
  for (const [i, { text }] of long.entries()) {
    const titles = readFormatted(answers[i], "title");
    const instead = nearWord(text, [...titles.values()]);
    if (instead !== null) corrections.set(text, instead);
  }
  return corrections;
}

/**
 * The query with other words in their places, Japanese ones also inside a text without spaces; null:
 * nothing was replaced.
 */
export function corrected(q: string, corrections: ReadonlyMap<string, string>): string | null {
  const japanese = [...corrections].filter(([word]) => !isCorrectable(word));
  const text = q
    .split(/(\s+|"[^"]*"?)/)
    .map((part) => {
      if (part.startsWith('"')) return part;
      const whole = corrections.get(foldLetters(part));
      return whole ?? japanese.reduce((now, [word, instead]) => now.replace(word, instead), part);
    })
    .join("");
  return text === q ? null : text;
}

/**
 * The words of the query that the engine matched with others, if no found title has them as typed.
 * `titles`: with the engine's marks.
 */
export function readCorrections(
  words: readonly QueryWord[],
  titles: readonly string[],
): Map<string, string> {
  const corrections = new Map<string, string>();
  for (const { text, forms, loose } of words) {
    if (!isCorrectable(text)) continue;
    const isThere = titles.some((title) => {
      const folded = fold(withoutMarks(title));
      return [...forms, ...loose].some((form) => folded.includes(form));
    });
    const instead = isThere ? null : nearWord(text, titles);
    if (instead !== null) corrections.set(text, instead);
  }
  return corrections;
}

/** A word that is known is written as it is meant. */
export function isCorrectable(text: string): boolean {
  const folded = fold(text);
  const isLong = /^\p{Script=Latin}+$/u.test(text) && folded.length >= minLetters;
  return isCode.test(text) || (isLong && spellingsOf(folded).length === 0);
}

/**
 * The hits in whose titles the engine took another model or measure for the typed one: 50ml for 500ml, XM5 for XM4. In words
 * of letters such a neighbour is a typing error, here it is another product. So it is of words that are `heard`, which other
 * titles have in other letters.
 */
export function misread(
  plain: readonly string[],
  heard: readonly QueryWord[],
  titles: ReadonlyMap<number, string>,
): Set<number> {
  const codes = plain.flatMap((chunk) =>
    (foldLetters(chunk).match(/[a-z0-9]+/g) ?? []).filter((run) => isCode.test(run)),
  );
  const found = codes.flatMap((code) =>
    [...titles].flatMap(([id, title]) => {
      const squeezed = fold(withoutMarks(title)).replaceAll(/[^a-z0-9]/g, "");
      if (squeezed.includes(code)) return [];
      const isNear = [...title.matchAll(marked)].some(([, word = ""]) => {
        const near = fold(word);
        return isNumbered.test(near) && distanceOf(code, near) <= 2;
      });
      return isNear ? [id] : [];
    }),
  );
  const unheard = [...titles].filter(([, title]) => readCorrections(heard, [title]).size > 0);
  return new Set([...found, ...unheard.map(([id]) => id)]);
}

/** The hits in whose titles the engine took another word for a Japanese one that other titles have: スヌーピー for スノーピ. */
export function mistaken(
  known: readonly QueryWord[],
  titles: ReadonlyMap<number, string>,
): Set<number> {
  const words = known.filter(({ text }) => /^[ァ-ヺー]{3,}$/.test(text));
  const taken = [...titles].filter(([, title]) => {
    const folded = fold(withoutMarks(title));
    return words.some(
      ({ forms }) =>
        !forms.some((form) => folded.includes(form)) && nearWord(forms[0] ?? "", [title]) !== null,
    );
  });
  return new Set(taken.map(([id]) => id));
}

const isNumbered = /^(?=.*\d)[a-z0-9]+$/;

/** The marked word nearest to the typed one, the most frequent among equals; null if none is near. */
function nearWord(typed: string, titles: readonly string[]): string | null {
  const words = titles.flatMap((title) =>
    [...title.matchAll(marked)].map(([, part = "", rest = ""]) => (part + rest).toLowerCase()),
  );
  const near = [...countEach(words)]
    .map(([word, count]) => ({ word, count, distance: distanceOf(fold(typed), fold(word)) }))
    .filter(({ distance }) => distance > 0 && distance <= 2)
    .toSorted((a, b) => a.distance - b.distance || b.count - a.count || (a.word < b.word ? -1 : 1));
  return near[0]?.word ?? null;
}

/** How many letters are inserted, dropped, replaced or swapped with a neighbour. */
export function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    const above = rows[i - 1] ?? [];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const steps = [
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        ...(a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? [(rows[i - 2]?.[j - 2] ?? 0) + 1]
          : []),
      ];
      row.push(Math.min(...steps));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

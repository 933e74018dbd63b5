import { sql } from "drizzle-orm";
import { idList } from "../../../db/rows.ts";
import type { Db } from "../../../db/open.ts";
import { fold } from "../../index/fold.ts";
import { normalise } from "../../index/normalise.ts";
import type { QueryWord } from "../words/query-words.ts";
import type { WordFrequencies } from "../words/word-frequencies.ts";
import { quoted, toTsquery } from "../words/word-sql.ts";
import { maxListed, readRows } from "./candidate-rows.ts";
import { isCorrectable } from "./correction.ts";
import type { PartialMatchOptions } from "./partial-matches.ts";

const maxLetters = 20;
/** Words of a query that are corrected; each takes a few statements. */
const maxWords = 4;
/** Products read for each word that may be meant, and titles for the spelling of the one that is. */
const productsRead = 50;
const titlesRead = 20;
/** As in the engine, a word of fewer letters is not corrected; one may have lost a letter. */
const fewestMeant = 5;
/** A shorter word with another first letter is another word, unless others of the query stand beside that. */
const fewestWithOtherFirst = 7;
const alphabet = Array.from("abcdefghijklmnopqrstuvwxyz");

/**
 * The words that products have in place of Latin words that none has, by the typed word: one letter is another, is
 * missing, is too many, or has changed places with its neighbour. Of several, the one with the same letters, then the one that
 * most products have, first of all beside the `known` words of the query. The engine forgives more, but not in words of four letters.
 */
export async function findLatinCorrections(
  { searchDb, readFrequencies }: PartialMatchOptions,
  unknown: readonly QueryWord[],
  known: readonly QueryWord[],
): Promise<Map<string, string>> {
  const corrections = new Map<string, string>();
  const frequencies = await readFrequencies();
  for (const { text } of unknown.filter(isMistyped).slice(0, maxWords)) {
    const likeliest = (beside: readonly QueryWord[]) =>
      readLikeliest(searchDb, frequencies, fold(text), beside);
    const instead = (known.length === 0 ? null : await likeliest(known)) ?? (await likeliest([]));
    if (instead !== null) corrections.set(text, await asWritten(searchDb, instead));
  }
  return corrections;
}

const isMistyped = ({ text }: QueryWord) =>
  isCorrectable(text) && /^[a-z]+$/.test(fold(text)) && fold(text).length <= maxLetters;

/** All words of which a typing error makes `folded`; of a short one alone, the first letter is right. */
export function wordsMeantBy(folded: string, isAlone: boolean): string[] {
  const places = Array.from({ length: folded.length }, (_, at) => ({
    before: folded.slice(0, at + 1),
    letter: folded.charAt(at + 1),
    rest: folded.slice(at + 2),
  }));
  const longer = places.flatMap(({ before, letter, rest }) =>
    alphabet.map((missing) => before + missing + letter + rest),
  );
  const first = alphabet.map((missing) => missing + folded);
  if (folded.length < fewestMeant) return [...new Set([...longer, ...(isAlone ? [] : first)])];
  const others = places.flatMap(({ before, letter, rest }) => [
    ...(letter === "" ? [] : alphabet.map((other) => before + other + rest)),
    before + rest,
    before.slice(0, -1) + letter + before.slice(-1) + rest,
  ]);
  const behindFirst = folded.slice(1);
  const isShort = isAlone && folded.length < fewestWithOtherFirst;
  const otherFirst = [
    behindFirst,
    ...first,
    ...(isShort ? [] : alphabet.map((other) => other + behindFirst)),
  ];
  return [...new Set([...longer, ...others, ...otherFirst])].filter((word) => word !== folded);
}

interface Meant {
  word: string;
  /** Products that have it. */
  ids: number[];
}

const sorted = (word: string) => Array.from(word).toSorted().join("");

async function readLikeliest(
  db: Db,
  { countOf }: WordFrequencies,
  folded: string,
  known: readonly QueryWord[],
): Promise<Meant | null> {
  const meant = wordsMeantBy(folded, known.length === 0);
  const beside = known.length === 0 ? "" : ` & ${toTsquery(known)}`;
  const fewest = Math.min(...known.map(countOf));
  const sets = meant.map((word) => ({
    tsquery: quoted(word) + beside,
    isFrequent: Math.min(fewest, countOf({ text: word, forms: [word], loose: [] })) > maxListed,
  }));
  // Whatever the search is restricted to, as the engine corrects it.
  const query = { page: 1, perPage: productsRead };
  const wanted = { sets, perSet: productsRead, query, now: new Date(0), strict: [] };
  const found = new Map(meant.map((word): [string, number[]] => [word, []]));
  for (const { id, title, context } of await readRows(db, wanted)) {
    for (const word of new Set(`${title} ${context}`.match(/[a-z]+/g))) found.get(word)?.push(id);
  }
  const isSwapped = (word: string) => Number(sorted(word) === sorted(folded));
  const [first] = [...found]
    .flatMap(([word, ids]) => (ids.length > 0 ? [{ word, ids }] : []))
    .toSorted(
      (a, b) =>
        isSwapped(b.word) - isSwapped(a.word) ||
        b.ids.length - a.ids.length ||
        (a.word < b.word ? -1 : 1),
    );
  return first ?? null;
}

/** The word as a title has it, in small letters: käse for kase. */
async function asWritten(db: Db, { word, ids }: Meant): Promise<string> {
  const rows = await db.execute<{ title: string }>(sql`
    select title from product
    where item_id in ${idList(ids.slice(0, titlesRead))}`);
  const words = normalise(rows.map(({ title }) => title).join(" ")).match(/\p{Script=Latin}+/gu);
  return words?.find((written) => fold(written) === word)?.toLowerCase() ?? word;
}

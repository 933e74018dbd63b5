import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { fold, foldLetters } from "../../index/fold.ts";
import { normalise } from "../../index/normalise.ts";
import { spellingsOf } from "../../index/spellings.ts";
import { distanceOf } from "./correction.ts";
import type { QueryWord } from "../words/query-words.ts";
import { lettersTsquery, quoted } from "../words/word-sql.ts";
import { isThere, type Candidates } from "./partial-matches.ts";
import { countEach } from "../../../lib/collect.ts";

const minLetters = 4;
const maxLetters = 20;
/** With fewer different letters too little is left to find a word by, because one of them may be wrong. */
const minDifferent = 3;
/** Words of a query that are corrected; each takes a statement. */
const maxWords = 4;
/** Texts compared for one word, those with most of its pairs of letters of so many that have its letters. */
const textsRead = 50;
const textsCounted = 5000;

/**
 * The words that titles have in place of Japanese words that nobody wrote, by the typed word: one letter is
 * another, is missing, is too many, or has changed places with its neighbour. The engine forgives this in
 * Latin words only where a whole word is known; Japanese text has no spaces that would say so.
 */
export async function findJapaneseCorrections(
  db: Db,
  words: readonly Pick<QueryWord, "text" | "forms">[],
): Promise<Map<string, string>> {
  const corrections = new Map<string, string>();
  for (const { text, forms } of words.filter(isCorrectable).slice(0, maxWords)) {
    const folded = forms[0] ?? "";
    const instead = nearestIn(await readTitles(db, folded), text, folded);
    if (instead !== null) corrections.set(text, instead);
  }
  return corrections;
}

function isCorrectable({ forms: [folded = ""] }: Pick<QueryWord, "forms">): boolean {
  const letters = Array.from(folded);
  return (
    spellingsOf(folded).length === 0 &&
    letters.length >= minLetters &&
    letters.length <= maxLetters &&
    new Set(letters).size >= minDifferent &&
    /^[ぁ-んー\p{Script=Han}]+$/u.test(folded)
  );
}

async function readTitles(db: Db, folded: string): Promise<string[]> {
  const letters = Array.from(folded);
  const pairs = letters.slice(1).map((letter, i) => quoted(`${letters[i]}${letter}`));
  const shared = pairs.map((pair) => sql`(words @@ ${pair}::tsquery)::integer`);
  const rows = await db.execute<{ title: string }>(sql`
    select p.title from (
      select item_id, ${sql.join(shared, sql` + `)} as shared
      from (
        select item_id, words from product_text
        where words @@ ${lettersTsquery(letters)}::tsquery limit ${textsCounted}
      ) lettered
      order by shared desc, item_id limit ${textsRead}
    ) nearest join product p using (item_id)
    where p.state <> 'gone'`);
  return rows.map(({ title }) => normalise(title));
}

/** The part of a title that is one step away from `folded`, among several the most frequent. */
function nearestIn(titles: readonly string[], typed: string, folded: string): string | null {
  if (titles.some((title) => fold(title).includes(folded))) return null;
  const near = titles.flatMap((title) => {
    const [best] = partsNear(title, typed, folded).toSorted((a, b) => b.ends - a.ends);
    return best?.text ?? [];
  });
  const [first] = [...countEach(near)].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** A shorter word has its first letter, and whole words alone are near it: クーラー is not ローラー. */
const longWord = 6;

/** Folded, small kana are large ones: クション would be one letter from クレヨン. */
const smallKana = (text: string) =>
  text.replaceAll(/ヴ[ァィェォ]/g, "").match(/[ぁぃぅぇぉゃゅょァィゥェォャュョ]/g)?.length ?? 0;

const unvoiced = (text = "") => text.normalize("NFD").replaceAll(/[\u3099\u309A]/g, "");

/** Whether the first letters are the same, but for their voicing, or have changed places. */
function beginsAs(folded: string, near: string): boolean {
  const [a, b, x, y] = [folded[0], folded[1], near[0], near[1]];
  return unvoiced(a) === unvoiced(x) || (a === y && b === x);
}

/** Whether both have the same letters but for their voicing: of so short a word another letter makes another word, クッキー of クッカー. */
function hasSameLetters(folded: string, near: string): boolean {
  const sorted = (text: string) => Array.from(unvoiced(text)).toSorted().join("");
  return folded.length !== near.length || sorted(folded) === sorted(near);
}

/**
 * `ends`: how many of its two ends are ends of a word, where the script changes. It begins where a word begins: シック is
 * no part of クラシック. Parts of two words are none: スイッチ is not スイーツチ, the beginning of スイーツチョコレート.
 */
function partsNear(title: string, typed: string, folded: string): { text: string; ends: number }[] {
  const letters = Array.from(title);
  const scripts = letters.map(scriptOf);
  const length = Array.from(folded).length;
  const words = [...segmenter.segment(title)];
  const edges = new Set(words.map(({ index }) => Array.from(title.slice(0, index)).length));
  const isEdge = (at: number) => edges.has(at) || scripts[at - 1] !== scripts[at];
  return [length, length + 1, length - 1].flatMap((size) =>
    letters.flatMap((_, from) => {
      const to = from + size;
      const text = letters.slice(from, to).join("");
      if (!isEdge(from) || scripts.slice(from, to).includes(0)) return [];
      const near = fold(text);
      if (distanceOf(folded, near) !== 1) return [];
      if (size === length && smallKana(text) !== smallKana(typed)) return [];
      if (length < longWord && !(isEdge(to) && beginsAs(folded, near))) return [];
      if (length === minLetters && !hasSameLetters(folded, near)) return [];
      const isWhole = isEdge(from) && isEdge(to);
      if (!isWhole && letters.some((__, at) => at > from && at < to && isEdge(at))) return [];
      const isStart = scripts[from - 1] !== scripts[from];
      const isEnd = scripts[to] !== scripts[to - 1];
      return [{ text, ends: Number(isStart) + Number(isEnd) }];
    }),
  );
}

/** 0: none of Japanese. */
function scriptOf(letter: string): number {
  return 1 + [/[ァ-ヺー]/, /[ぁ-ゖ]/, /\p{Script=Han}/u].findIndex((script) => script.test(letter));
}

/** Katakana written together of which no product has all words: cut into words, a mistyped one falls apart. */
export function tornKatakana(
  plain: readonly string[],
  { words, found }: Candidates,
): Pick<QueryWord, "text" | "forms">[] {
  return plain
    .flatMap((chunk) => foldLetters(chunk).match(/[ァ-ヺー]+/g) ?? [])
    .filter((run) => {
      const parts = words.flatMap(({ text }, i) => (text !== run && run.includes(text) ? [i] : []));
      return parts.length > 0 && !found.some(({ match }) => parts.every((i) => isThere(match, i)));
    })
    .map((run) => ({ text: run, forms: [fold(run)] }));
}

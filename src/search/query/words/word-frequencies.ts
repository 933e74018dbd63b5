import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { randomRows } from "../../../db/sample.ts";
import type { Cache } from "../../../lib/cache.ts";
import { withUmlauts } from "../../index/word-forms.ts";
import { createOtherLetters, shortestName, toNames, type Names } from "./other-letters.ts";
import type { QueryWord } from "./query-words.ts";
import { lexemesOf } from "./word-sql.ts";

export interface WordFrequencies {
  /** About how many products there are. */
  products: number;
  /** About how many of them have the word in one of its forms; 0: too few to be met in a sample. */
  countOf(word: QueryWord): number;
  /** Compounds of the catalogue that end with the word: bratpfanne for pfanne. */
  compoundsOf(word: QueryWord): string[];
  /** Words of the catalogue that begin with a word which it does not have, or with a German participle's stem: eyeliner for eyelin, räucherlachs for geräuchert. */
  longerThan(word: QueryWord): string[];
  /** The longest word of the catalogue that a compound ends with: kindersitz for autokindersitz. */
  endOf(word: QueryWord): string | undefined;
  /** Words of the catalogue in other letters that sound alike, folded: パンパース for pampers, 三脚 for さんきゃく. One typed word may also be two: ciao ちゅーる for チャオチュール. */
  alike(text: string, isOneWord?: boolean): string[];
  /** Beginnings of words of the catalogue that are said as this half-typed word, the likeliest first: 毛糸 for けい or kei. */
  begunBy(text: string): string[];
}

export type ReadWordFrequencies = () => Promise<WordFrequencies>;

/** Products that the frequencies are taken from, whatever the size of the catalogue. */
const sampled = 5000;
const rememberMs = 600_000;
/** Nobody waits for the next sample while this one is no older. */
const staleMs = 86_400_000;
/** Titles may be of any length. */
const maxRuns = 20_000;
/** Met fewer times in the sample, a word is taken for a rare one. */
const minMet = 3;
/** The parts of a compound have at least so many letters, and a word is looked for in so many compounds at most. */
const shortest = { end: 4, beginning: 3, endOfTyped: 5 };
const maxCompounds = 30;
const isLong = new RegExp(`^[a-z]{${shortest.endOfTyped},40}$`);
const isName = new RegExp(`^[a-z]{${shortestName},40}$`);
/** Of what has been done to something. */
const participled = /^ge([a-z]{5,})e?t$/;
const byCode = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** How often words occur, from a sample of the catalogue that is taken anew every ten minutes. */
export function createWordFrequencies(db: Db, cache: Cache): ReadWordFrequencies {
  const read = cache.remember("word frequencies", rememberMs, () => readSample(db), staleMs);
  return async () => {
    const sample = await read();
    const { met, size, products, backwards, forwards, names } = sample;
    const scale = products / Math.max(1, size);
    const metOf = (form: string) => {
      const counts = lexemesOf(form).map((lexeme) => met.get(lexeme) ?? 0);
      return counts.length === 0 ? 0 : Math.min(...counts);
    };
    return {
      products,
      countOf: ({ forms, loose }) =>
        Math.min(
          size,
          [...forms, ...loose].reduce((sum, form) => sum + metOf(form), 0),
        ) * scale,
      compoundsOf: ({ forms: [text = ""], loose }) =>
        [...new Set([text, withUmlauts(text), ...loose])]
          .flatMap((end) => endingWith(end, backwards))
          .slice(0, maxCompounds),
      longerThan: ({ forms: [text = "", ...others] }) =>
        [
          ...(isName.test(text) && ![text, ...others].some((form) => names.lexemes.has(form))
            ? beginningWith(text, forwards)
            : []),
          ...(participled
            .exec(text)
            ?.slice(1)
            .flatMap((stem) => beginningWith(stem, forwards)) ?? []),
        ].slice(0, maxCompounds),
      endOf: ({ forms: [text = ""] }) => {
        if (!isLong.test(text)) return undefined;
        const ends = Array.from({ length: text.length }, (_, at) => text.slice(at));
        return ends
          .slice(shortest.beginning, 1 - shortest.endOfTyped)
          .find((end) => backwards[placeOf(reversed(end), backwards)] === reversed(end));
      },
      ...createOtherLetters(names, metOf),
    };
  };
}

interface Sample {
  met: Map<string, number>;
  size: number;
  products: number;
  /** Its longer Latin words from their last letter to their first, in order. */
  backwards: string[];
  /** The same in order. */
  forwards: string[];
  names: Names;
}

const reversed = (word: string) => Array.from(word).toReversed().join("");

function endingWith(end: string, backwards: readonly string[]): string[] {
  if (!/^[a-z]+$/.test(end) || end.length < shortest.end) return [];
  return beginningWith(reversed(end), backwards)
    .filter((word) => word.length >= end.length + shortest.beginning)
    .map(reversed);
}

/** `ordered`: by code. */
function beginningWith(start: string, ordered: readonly string[]): string[] {
  const from = placeOf(start, ordered);
  const found: string[] = [];
  for (let at = from; ordered[at]?.startsWith(start); at += 1) found.push(ordered[at] ?? "");
  return found;
}

/** Of the first word that begins so. */
function placeOf(start: string, ordered: readonly string[]): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ordered[middle] ?? "") < start) from = middle + 1;
    else to = middle;
  }
  return from;
}

async function readSample(db: Db): Promise<Sample> {
  const [known] = await db.execute<{ products: number }>(sql`
    select greatest(reltuples, (select count(*) from (select from product_text limit ${sampled}) counted)) as products
    from pg_class where oid = 'product_text'::regclass`);
  const products = known?.products ?? 0;
  const rows = await db.execute<{ lexeme: string; met: number; size: number; titled: boolean }>(sql`
    with part as materialized (
      select words, left(body, title_length) as title
      from ${randomRows("product_text", sampled)} t limit ${sampled}
    ), counted as (
      select lexeme, count(*)::int as met, bool_or(position(lexeme in title) > 0) as titled
      from part, unnest(tsvector_to_array(words)) lexeme
      group by lexeme having count(*) >= ${minMet} or lexeme ~ ${isName.source}
    )
    select lexeme, met, titled, (select count(*)::int from part) as size from counted`);
  const size = rows[0]?.size ?? 0;
  // Folded texts do not tell small kana from large ones.
  const names = await db.execute<{ name: string }>(sql`
    select distinct name[1] as name from ${randomRows("product", sampled)} p,
      regexp_matches(normalize(left(p.title, 200), NFKC), '[ァ-ヺ][ァ-ヺー]*(?:[ ・=][ァ-ヺ][ァ-ヺー]*)*|[ぁ-ゖ]+[~〜][ぁ-ゖー]+|[ぁ-ゖー]{5,}', 'g') name`);
  const runs = await db.execute<{ run: string }>(sql`
    select distinct run[1] as run from ${randomRows("product_text", sampled)} t,
      regexp_matches(left(t.body, t.title_length), '[ぁ-ゖー々一-鿿]{2,}', 'g') run limit ${maxRuns}`);
  const brands = await db.execute<{ brand: string }>(sql`
    select distinct substring(left(t.body, t.title_length) from '[a-z]{1,40}(?:(?: & |[ .-]+)[a-z]{1,40}){1,3}') as brand
    from ${randomRows("product_text", sampled)} t`);
  const long = rows.flatMap(({ lexeme }) => (isLong.test(lexeme) ? [lexeme] : []));
  return {
    met: new Map(rows.flatMap(({ lexeme, met }) => (met < minMet ? [] : [[lexeme, met]]))),
    size,
    products,
    backwards: long.map(reversed).toSorted(byCode),
    forwards: long.toSorted(byCode),
    names: toNames({
      lexemes: new Set(rows.map(({ lexeme }) => lexeme)),
      aroundTitles: new Set(rows.flatMap(({ lexeme, titled }) => (titled ? [] : [lexeme]))),
      words: rows.flatMap(({ lexeme }) => (isName.test(lexeme) ? [lexeme] : [])),
      brands: brands.flatMap(({ brand }) => brand ?? []),
      katakanaRuns: names.map(({ name }) => name),
      runs: runs.map(({ run }) => run),
    }),
  };
}

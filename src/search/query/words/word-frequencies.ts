import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { randomRows } from "../../../db/sample.ts";
import type { Cache } from "../../../lib/cache.ts";
import { fold } from "../../index/fold.ts";
import { spellingsOf } from "../../index/spellings.ts";
import { withUmlauts } from "../../index/word-forms.ts";
import { beginningsOf, isHeardAs, soundOf } from "./kana-names.ts";
import { katakanaNames, namesShortenedTo } from "./katakana-runs.ts";
import {
  readAlike,
  readAsLatin,
  readFrom,
  toReadable,
  type ReadableWords,
} from "./kanji-readings.ts";
import type { QueryWord } from "./query-words.ts";
import { hiraganaOf, kanaOfRomaji } from "./sounds.ts";
import { lexemesOf } from "./word-sql.ts";

export interface WordFrequencies {
  /** About how many products there are. */
  products: number;
  /** About how many of them have the word in one of its forms; 0: too few to be met in a sample. */
  countOf(word: QueryWord): number;
  /** Compounds of the catalogue that end with the word: bratpfanne for pfanne. */
  compoundsOf(word: QueryWord): string[];
  /** Words of the catalogue that begin with a word which it does not have: eyeliner for eyelin. */
  longerThan(word: QueryWord): string[];
  /** The longest word of the catalogue that a compound ends with: kindersitz for autokindersitz. */
  endOf(word: QueryWord): string | undefined;
  /** Words of the catalogue in other letters that sound alike, folded: パンパース for pampers, 三脚 for さんきゃく. */
  alike(text: string): string[];
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
const shortest = { end: 4, beginning: 3, endOfTyped: 5, name: 4 };
const maxCompounds = 30;
const isLong = new RegExp(`^[a-z]{${shortest.endOfTyped},40}$`);
const isName = new RegExp(`^[a-z]{${shortest.name},40}$`);
const byCode = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** How often words occur, from a sample of the catalogue that is taken anew every ten minutes. */
export function createWordFrequencies(db: Db, cache: Cache): ReadWordFrequencies {
  const read = cache.remember("word frequencies", rememberMs, () => readSample(db), staleMs);
  return async () => {
    const sample = await read();
    const { met, size, products, backwards, lexemes, forwards } = sample;
    const { latin, aroundTitles, katakana, katakanaRuns, sounds, readable } = sample;
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
        isName.test(text) && ![text, ...others].some((form) => lexemes.has(form))
          ? beginningWith(text, forwards).slice(0, maxCompounds)
          : [],
      endOf: ({ forms: [text = ""] }) => {
        if (!isLong.test(text)) return undefined;
        const ends = Array.from({ length: text.length }, (_, at) => text.slice(at));
        return ends
          .slice(shortest.beginning, 1 - shortest.endOfTyped)
          .find((end) => backwards[placeOf(reversed(end), backwards)] === reversed(end));
      },
      alike: (text) => {
        if (/^[a-z ]+$/.test(text)) {
          const joined = text.replaceAll(" ", "");
          const kana = [joined, joined.replaceAll(/([aiueo])\1/g, "$1-")].map(
            (typed) => kanaOfRomaji(typed) ?? "",
          );
          const written = kana.flatMap((word) => {
            const others = spellingsOf(word);
            return others.length > 0 || katakana.has(word) ? [word, ...others] : [];
          });
          const names = namesHeardAs(text).flatMap((name) => [name, ...spellingsOf(name)]);
          const heard = [...written, ...names];
          return heard.length > 0 || isFrequentName(joined)
            ? heard
            : [...new Set(kana)].flatMap((word) => readAsLatin(word, readable));
        }
        return [
          ...(/^[ァ-ヺー]+$/.test(text) ? otherNames(text) : []),
          ...readAlike(text, readable),
        ];
      },
      begunBy: (text) => {
        if (/^[ァ-ヺー]+$/.test(text)) return namesBegunBy(text);
        const isRomaji = /^[a-z]+$/.test(text);
        // The letter of a kana that is being typed: kuts.
        const kana = isRomaji ? hiraganaOf(text.replace(/[b-df-hj-mp-tv-z]+$/, "")) : text;
        if (kana === null || !/^[ぁ-ゖー]{2,}$/.test(kana)) return [];
        return [...(isRomaji ? [kana] : []), ...readFrom(fold(kana), readable)];
      },
    };

    function namesBegunBy(kana: string): string[] {
      const sound = soundOf(kana);
      if (sound.length < shortest.name) return [];
      const names = latin.get(sound.charAt(0)) ?? [];
      return names
        .filter((name) => isNamed(name, sound, true))
        .toSorted((a, b) => metOf(b) - metOf(a) || a.length - b.length);
    }

    /** A short word that titles have is no reading: home is not 保目. */
    function isFrequentName(joined: string): boolean {
      return (kanaOfRomaji(joined) ?? "").length < shortest.name && lexemes.has(joined);
    }

    function namesHeardAs(typed: string): string[] {
      if (typed.length < shortest.name) return [];
      return [...beginningsOf(typed)].flatMap((first) =>
        (sounds.get(first) ?? []).flatMap(({ sound, names }) =>
          isHeardAs(typed, sound) ? names : [],
        ),
      );
    }

    function otherNames(kana: string): string[] {
      const isKnown = katakana.has(fold(kana)) || spellingsOf(fold(kana)).length > 0;
      const names = isKnown ? [] : namesShortenedTo(kana, katakanaRuns).map(fold);
      return [...spelled(kana), ...names];
    }

    /** Shops' names are taken for other letters only where these are heard exactly. */
    function isNamed(word: string, sound: string, isBegun = false): boolean {
      return isHeardAs(word, sound, { isBegun, isExact: aroundTitles.has(word) });
    }

    /** Katakana also with other long vowels: ティッシュ for ティシュー. */
    function spelled(kana: string): string[] {
      const sound = soundOf(kana);
      if (sound.length < shortest.name) return [];
      const names = katakana.has(fold(kana)) ? [] : (sounds.get(sound.charAt(0)) ?? []);
      const words = latin.get(sound.charAt(0)) ?? [];
      return [
        ...names.flatMap((name) => (name.sound === sound ? name.names : [])),
        ...words.filter((word) => isNamed(word, sound)),
      ];
    }
  };
}

interface Sample {
  met: Map<string, number>;
  size: number;
  products: number;
  /** Its longer Latin words from their last letter to their first, in order. */
  backwards: string[];
  /** Its words of letters and digits, and the longer Latin ones in order. */
  lexemes: Set<string>;
  forwards: string[];
  /** Latin words and names of several, by what they may begin with in katakana. */
  latin: Map<string, string[]>;
  /** Those that no title has, only categories and names of shops. */
  aroundTitles: Set<string>;
  katakana: Set<string>;
  /** The katakana words by the first letter of their sound. */
  sounds: Map<string, { sound: string; names: string[] }[]>;
  /** Katakana words of titles as they stand together: ブレス オブ ザ ワイルド. */
  katakanaRuns: string[];
  readable: ReadableWords;
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** North face, the north and the north face of this beginning of a title. */
function namesIn(brand: string): string[] {
  const words = brand.split(/[ .-]+/);
  return words.flatMap((_, from) =>
    words.slice(from + 1).map((__, i) => words.slice(from, from + 2 + i).join(" ")),
  );
}

/** `words`: folded, several with spaces between them. */
function byBeginning(words: Iterable<string>): Sample["latin"] {
  const map: Sample["latin"] = new Map();
  for (const word of words) for (const first of beginningsOf(word)) add(map, first, word);
  return map;
}

function bySound(names: readonly string[]): Sample["sounds"] {
  const heard = new Map<string, string[]>();
  for (const name of names) add(heard, soundOf(name), fold(name));
  const map: Sample["sounds"] = new Map();
  for (const [sound, alike] of heard) {
    if (sound.length >= shortest.name) add(map, sound.charAt(0), { sound, names: alike });
  }
  return map;
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
      regexp_matches(normalize(left(p.title, 200), NFKC), '[ァ-ヺ][ァ-ヺー]*(?:[ ・=][ァ-ヺ][ァ-ヺー]*)*', 'g') name`);
  const katakanaRuns = names.map(({ name }) => name);
  const katakana = katakanaNames(katakanaRuns);
  const runs = await db.execute<{ run: string }>(sql`
    select distinct run[1] as run from ${randomRows("product_text", sampled)} t,
      regexp_matches(left(t.body, t.title_length), '[ぁ-ゖー々一-鿿]{2,}', 'g') run limit ${maxRuns}`);
  const brands = await db.execute<{ brand: string }>(sql`
    select distinct substring(left(t.body, t.title_length) from '[a-z]{1,40}(?:[ .-]+[a-z]{1,40}){1,2}') as brand
    from ${randomRows("product_text", sampled)} t`);
  const long = rows.flatMap(({ lexeme }) => (isLong.test(lexeme) ? [lexeme] : []));
  return {
    met: new Map(rows.flatMap(({ lexeme, met }) => (met < minMet ? [] : [[lexeme, met]]))),
    size,
    products,
    backwards: long.map(reversed).toSorted(byCode),
    lexemes: new Set(rows.map(({ lexeme }) => lexeme)),
    forwards: long.toSorted(byCode),
    latin: byBeginning([
      ...new Set([
        ...rows.flatMap(({ lexeme }) => (isName.test(lexeme) ? [lexeme] : [])),
        ...brands.flatMap(({ brand }) => namesIn(brand ?? "")),
      ]),
    ]),
    aroundTitles: new Set(rows.flatMap(({ lexeme, titled }) => (titled ? [] : [lexeme]))),
    katakana: new Set([...katakana.words].map(fold)),
    sounds: bySound(katakana.names),
    katakanaRuns,
    readable: toReadable(runs.map(({ run }) => run)),
  };
}

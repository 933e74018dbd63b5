import { toKatakana } from "wanakana";
import { fold } from "../../index/fold.ts";
import { withLongVowels } from "../../index/japanese-forms.ts";
import { spellingsOf } from "../../index/spellings.ts";
import { beginningsOf, isHeardAs, soundOf } from "./kana-names.ts";
import { katakanaNames, namesShortenedTo } from "./katakana-runs.ts";
import {
  readAlike,
  readAsLatin,
  readFrom,
  toReadable,
  type ReadableWords,
} from "./kanji-readings.ts";
import { hiraganaOf, kanaOfRomaji, romajiOf } from "./sounds.ts";

/** A name in other letters has at least so many. */
export const shortestName = 4;

const byLength = (a: string, b: string) => a.length - b.length;

/** The names of a catalogue, by how they are found in other letters. */
export interface Names {
  /** Latin words and names of several, by what they may begin with in katakana. */
  latin: Map<string, string[]>;
  /** All Latin words. */
  lexemes: ReadonlySet<string>;
  /** Those that no title has, only categories and names of shops. */
  aroundTitles: ReadonlySet<string>;
  katakana: Set<string>;
  /** The katakana words by the first letter of their sound. */
  sounds: Map<string, { sound: string; names: string[] }[]>;
  /** Katakana words of titles as they stand together: ブレス オブ ザ ワイルド. */
  katakanaRuns: readonly string[];
  /** What titles write with waves for long vowels, folded. */
  wavy: readonly string[];
  readable: ReadableWords;
}

interface Texts {
  lexemes: ReadonlySet<string>;
  aroundTitles: ReadonlySet<string>;
  /** Longer Latin words, and the Latin words that titles begin with, folded. */
  words: readonly string[];
  brands: readonly string[];
  katakanaRuns: readonly string[];
  /** Of kanji and hiragana. */
  runs: readonly string[];
}

export function toNames({ words, brands, runs, ...texts }: Texts): Names {
  const katakanaRuns = texts.katakanaRuns.map((run) => toKatakana(withLongVowels(run)));
  const katakana = katakanaNames(katakanaRuns);
  return {
    ...texts,
    katakanaRuns,
    wavy: texts.katakanaRuns.map(fold).filter((run) => withLongVowels(run) !== run),
    latin: byBeginning(new Set([...words, ...brands.flatMap(namesIn)])),
    katakana: new Set([...katakana.words].map(fold)),
    sounds: bySound(katakana),
    readable: toReadable(runs),
  };
}

/** The names that sound like a typed word: see `alike` and `begunBy` of `WordFrequencies`. */
export function createOtherLetters(names: Names, metOf: (name: string) => number) {
  const { latin, lexemes, aroundTitles, katakana, katakanaRuns, sounds, wavy, readable } = names;

  function alike(text: string, isOneWord = false): string[] {
    if (/^[a-z ]+$/.test(text)) {
      const joined = text.replaceAll(" ", "");
      const kana = [
        joined,
        joined.replaceAll(/([aiueo])\1/g, "$1-"),
        joined.replaceAll(/n(?=[aiueo])/g, "n'"),
      ].map((typed) => kanaOfRomaji(typed) ?? "");
      const written = kana.flatMap((word) => {
        const others = spellingsOf(word);
        return others.length > 0 || katakana.has(word) ? [word, ...others] : [];
      });
      const heard = [
        ...written,
        ...namesHeardAs(text)
          .map(fold)
          .flatMap((name) => [name, ...spellingsOf(name)]),
      ];
      return heard.some(isThere) || isFrequentName(joined)
        ? heard
        : [...heard, ...[...new Set(kana)].flatMap((word) => readAsLatin(word, readable))];
    }
    const romaji = /^[ぁ-ゖー]{3,}$/.test(text) ? romajiOf(text) : "";
    return [
      ...wavesFor(fold(text)),
      ...(/^[ァ-ヺー]+$/.test(text) || isNoWord(text) ? otherNames(toKatakana(text)) : []),
      ...(isOneWord && !isThere(fold(text)) ? apart(toKatakana(text)) : []),
      ...(romaji.length > shortestName && lexemes.has(romaji) ? [romaji] : []),
      ...readAlike(text, readable),
    ];
  }

  const wavesFor = (folded: string) => wavy.filter((run) => withLongVowels(run) === folded);

  const isThere = (form: string) =>
    katakana.has(form) || lexemes.has(form) || readable.all.includes(form);

  /** No title has these hiragana, so that they may stand for other letters: すいっち. */
  const isNoWord = (text: string) => /^[ぁ-ゖー]{4,}$/.test(text) && !isThere(fold(text));

  function begunBy(text: string): string[] {
    if (/^[ァ-ヺー]+$/.test(text)) return namesBegunBy(text);
    const isRomaji = /^[a-z]+$/.test(text);
    // The letter of a kana that is being typed: kuts.
    const kana = isRomaji ? hiraganaOf(text.replace(/[b-df-hj-mp-tv-z]+$/, "")) : text;
    const heard = isRomaji ? namesHeardAs(text, true).toSorted(byLength) : [];
    if (kana === null || !/^[ぁ-ゖー]{2,}$/.test(kana)) return heard;
    const named = isNoWord(text) ? namesBegunBy(toKatakana(text)) : [];
    return [...(isRomaji ? [kana] : []), ...readFrom(fold(kana), readable), ...heard, ...named];
  }

  function namesBegunBy(kana: string): string[] {
    const sound = soundOf(kana);
    if (sound.length < shortestName) return [];
    const written = (sounds.get(sound.charAt(0)) ?? [])
      .filter((name) => name.sound !== sound && name.sound.startsWith(sound))
      .flatMap((name) => name.names)
      .toSorted(byLength);
    const names = (latin.get(sound.charAt(0)) ?? [])
      .filter((name) => isNamed(name, sound, true))
      .toSorted((a, b) => metOf(b) - metOf(a) || byLength(a, b));
    return [...written.slice(0, 1), ...names, ...written.slice(1)];
  }

  /** A short word that titles have is no reading: home is not 保目. */
  function isFrequentName(joined: string): boolean {
    return (kanaOfRomaji(joined) ?? "").length < shortestName && lexemes.has(joined);
  }

  function namesHeardAs(typed: string, isOpen = false): string[] {
    // What no language spells so is a typing error: raucch is not ロック.
    if (typed.length < shortestName || /^([b-km-z])\1|(.)\2\2|cch$/.test(typed)) return [];
    return [...beginningsOf(typed)].flatMap((first) =>
      (sounds.get(first) ?? []).flatMap((heard) =>
        isHeardAs(typed, heard.sound, { isOpen }) ? heard.names : [],
      ),
    );
  }

  function otherNames(kana: string): string[] {
    const isKnown = katakana.has(fold(kana)) || spellingsOf(fold(kana)).length > 0;
    const shortened = isKnown ? [] : namesShortenedTo(kana, katakanaRuns).map(fold);
    return [...spelled(kana), ...shortened];
  }

  /** A word that no title has may be two of three kana or more, the first of them also in Latin letters: ciao ちゅーる for チャオチュール. */
  function apart(kana: string): string[] {
    return Array.from(kana.slice(5), (_, i) => i + 3).flatMap((at) => {
      const [head, tail] = [kana.slice(0, at), fold(kana.slice(at))];
      if (!katakana.has(tail)) return [];
      const heads = [...(katakana.has(fold(head)) ? [fold(head)] : []), ...spelled(head)];
      return heads.flatMap((first) => [tail, ...wavesFor(tail)].map((rest) => `${first} ${rest}`));
    });
  }

  /** Shops' names are taken for other letters only where these are heard exactly. */
  function isNamed(word: string, sound: string, isBegun = false): boolean {
    return isHeardAs(word, sound, { isBegun, isExact: aroundTitles.has(word) });
  }

  /** Katakana also with other long vowels: ティッシュ for ティシュー. */
  function spelled(kana: string): string[] {
    const sound = soundOf(kana);
    if (sound.length < shortestName) return [];
    const same = katakana.has(fold(kana)) ? [] : (sounds.get(sound.charAt(0)) ?? []);
    const words = latin.get(sound.charAt(0)) ?? [];
    return [
      ...same.flatMap((name) => (name.sound === sound ? name.names.map(fold) : [])),
      ...words.filter((word) => isNamed(word, sound)),
    ];
  }

  return { alike, begunBy };
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** North face, the north and the north face of this beginning of a title; moet chandon of moet & chandon. */
function namesIn(brand: string): string[] {
  const words = brand.split(/[ .&-]+/);
  return words.flatMap((_, from) =>
    words.slice(from + 1).map((__, i) => words.slice(from, from + 2 + i).join(" ")),
  );
}

/** `words`: folded, several with spaces between them. */
function byBeginning(words: Iterable<string>): Names["latin"] {
  const map: Names["latin"] = new Map();
  for (const word of words) for (const first of beginningsOf(word)) add(map, first, word);
  return map;
}

function bySound({ names, words }: ReturnType<typeof katakanaNames>): Names["sounds"] {
  const heard = new Map<string, string[]>();
  for (const name of names) add(heard, soundOf(name), name);
  // Two kana are found only in compounds with another word: ポロシャツ for polo.
  for (const word of words)
    if (words.has(word.slice(2))) add(heard, soundOf(word.slice(0, 2)), word);
  const map: Names["sounds"] = new Map();
  for (const [sound, alike] of heard) {
    if (sound.length >= shortestName) add(map, sound.charAt(0), { sound, names: alike });
  }
  return map;
}

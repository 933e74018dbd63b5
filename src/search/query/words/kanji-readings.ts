import { fold } from "../../index/fold.ts";
import { readingTable } from "./reading-table.ts";

/** As input methods and titles differ, of a folded text: no や beside あ, one letter for the two sounds of じ and of ず. */
const spoken = (folded: string) =>
  folded.replaceAll("や", "あ").replaceAll("ぢ", "じ").replaceAll("づ", "ず");
const kanji = /[々㐀-䶿一-鿿]/;
const isKanji = (letter: string) => kanji.test(letter);

interface Readings {
  /** Kanji with a reading of them, by the first one. */
  byKanji: Map<string, (readonly [string, string])[]>;
  /** Kanji that a word may begin with, by how it then begins. */
  beginners: Map<string, Set<string>>;
  /** All readings of one kanji. */
  alone: Map<string, Set<string>>;
  /** The last reading may be one that only begins so. */
  isBegun?: boolean;
}

function createReadings(say: (folded: string) => string): Readings {
  const [byKanji, beginners]: [Readings["byKanji"], Readings["beginners"]] = [new Map(), new Map()];
  // Folded at once: letter by letter would take a tenth of the time of a start.
  for (const row of fold(readingTable.replaceAll("\n", "|")).split("|")) {
    const [kana = "", written = ""] = row.split(" ");
    const keys = written.startsWith("=") ? [written.slice(1)] : Array.from(written);
    const forms = new Set(formsOf(kana).map(say));
    for (const key of keys) {
      const first = key.charAt(0);
      const known = byKanji.get(first) ?? [];
      if (known.length === 0) byKanji.set(first, known);
      for (const form of forms) {
        if (!known.some((one) => one[0] === key && one[1] === form)) known.push([key, form]);
        beginners.set(form, (beginners.get(form) ?? new Set()).add(first));
      }
    }
  }
  const alone = Array.from(byKanji, ([kanji, read]): [string, Set<string>] => [
    kanji,
    new Set(read.flatMap(([key, reading]) => (key === kanji ? [reading] : []))),
  ]);
  return { byKanji, beginners, alone: new Map(alone) };
}

/** Latin letters seldom tell long vowels: zojirushi, toraya, osaka. */
const shortened = (said: string) =>
  said.replaceAll(/(?<=[おこそとのほもよろごぞどぼぽうくすつぬふむゆるぐずぶぷ])う|(?<=お)お/g, "");

const readings = createReadings(spoken);
let ofLatin: Readings | undefined;
let ofBeginnings: Readings | undefined;

function createBeginnings(): Readings {
  const beginners: Readings["beginners"] = new Map();
  for (const [form, firsts] of readings.beginners) {
    for (let to = 1; to <= form.length; to += 1) {
      const begun = form.slice(0, to);
      beginners.set(begun, new Set([...(beginners.get(begun) ?? []), ...firsts]));
    }
  }
  return { ...readings, beginners, isBegun: true };
}

/** かざ, かざり, がざり: a part of a compound is often voiced, and ばん is also ぱん; がっ (folded: がつ) for がく before another sound. */
function formsOf(kana: string): string[] {
  const whole = [kana.replace(".", ""), kana.replace(/\..*/, "")];
  const soft = whole
    .map((form) => form.replace(/[きくちつ]$/, "つ"))
    .filter((form) => form.length > 1);
  return [...whole, ...soft].flatMap((form) => [
    form,
    ...["\u3099", "\u309A"].flatMap((mark) => {
      const first = form
        .charAt(0)
        .normalize(mark === "\u309A" ? "NFD" : "NFC")
        .charAt(0);
      const voiced = (first + mark + form.slice(1)).normalize("NFC");
      return voiced.length === form.length ? [voiced] : [];
    }),
  ]);
}

/** Longer words are no Japanese compounds, and would cost too much. */
const maxLetters = 12;
/** Shorter kana are read from too many kanji; katakana are mostly no Japanese words. */
const isReadable = /^(?:[ぁ-ゖー]{3,}|[ァ-ヺー]{4,}|.*[一-鿿々].*)$/;

/** The Japanese words of titles, to be found by how they are read. */
export interface ReadableWords {
  /** All, with spaces between them. */
  all: string;
  /** Runs from each letter that a word may begin at, by this letter: as they are spoken, then folded. */
  byFirst: Map<string, Map<string, string>>;
}

/** `runs`: folded. */
export function toReadable(runs: readonly string[]): ReadableWords {
  const byFirst: ReadableWords["byFirst"] = new Map();
  for (const run of runs) {
    const said = spoken(run);
    for (let at = 0; at < run.length; at += 1) {
      const first = said.charAt(at);
      if (at > 0 && !isKanji(first) && !isKanji(said.charAt(at - 1))) continue;
      const known = byFirst.get(first) ?? new Map<string, string>();
      if (known.size === 0) byFirst.set(first, known);
      known.set(said.slice(at, at + maxLetters), run.slice(at, at + maxLetters));
    }
  }
  return { all: runs.join(" "), byFirst };
}

/** The same for kana of Latin letters: 象印 for ぞじるし of zojirushi, ちいかわ for chiikawa. */
export function readAsLatin(kana: string, words: ReadableWords): string[] {
  const { length } = kana;
  if (length < 2 || length > maxLetters) return [];
  ofLatin ??= createReadings((folded) => shortened(spoken(folded)));
  const isOwn = length > 2 && words.all.includes(kana) && createIsWord(words.all)(kana);
  return [
    ...(isOwn ? [kana] : []),
    ...formsReadAs(shortened(spoken(kana)), words, ofLatin, isKanji),
  ];
}

/** Beginnings of words of titles, folded, that are read as kana which begin so, the most frequent first: 毛糸 for けい. */
export function readFrom(kana: string, words: ReadableWords): string[] {
  if (kana.length < 2 || kana.length > maxLetters) return [];
  ofBeginnings ??= createBeginnings();
  const forms = formsReadAs(spoken(kana), words, ofBeginnings, isKanji);
  const timesOf = (form: string) => words.all.split(form).length;
  return forms
    .map((form) => ({ form, times: timesOf(form) }))
    .toSorted((a, b) => b.times - a.times)
    .map(({ form }) => form);
}

/**
 * Words of titles that are read as a typed one, folded: 老眼鏡 for ろうがんきょう, だんぼーる for 段ボール. A word that titles
 * have as it was typed has other forms only if it is long and in hiragana: many short ones are said alike.
 */
export function readAlike(typed: string, words: ReadableWords): string[] {
  const word = fold(typed);
  if (word.length > maxLetters || !isReadable.test(typed)) return [];
  const isKana = !isKanji(word);
  const isLong = isKana && word.length > 3 && !/[ァ-ヺ]/.test(typed);
  if (!isLong && words.all.includes(word)) return [];
  return formsReadAs(spoken(word), words, readings, (form) =>
    isKana ? isKanji(form) : form.length > 3 || hasSame(word, form),
  );
}

function formsReadAs(
  said: string,
  { all, byFirst }: ReadableWords,
  readings: Readings,
  isTold: (form: string) => boolean,
): string[] {
  const { byKanji, beginners } = readings;
  const own = (byKanji.get(said.charAt(0)) ?? []).map(([, reading]) => reading);
  const beginnings = [...own, ...Array.from(said, (_, i) => said.slice(0, i + 1))].flatMap(
    (beginning) => [...(beginners.get(beginning) ?? [])],
  );
  /** By form, whether it stands somewhere without more kanji behind it. */
  const found = new Map<string, boolean>();
  const isWord = createIsWord(all);
  const isWritten = kanji.test(said);
  const firsts = [said.charAt(0), ...own.map((reading) => reading.charAt(0)), ...beginnings];
  for (const first of new Set(firsts)) {
    for (const [part, folded] of byFirst.get(first) ?? []) {
      // Two words of kanji that have none in common are seldom taken for one another.
      if (isWritten && isKanji(first) && !hasSame(said, part)) continue;
      const length = lengthReadAs(said, part, readings);
      const form = folded.slice(0, length);
      if (length > 1 && isTold(form) && isWord(form)) {
        found.set(form, found.get(form) === true || !isKanji(folded.charAt(length)));
      }
    }
  }
  const isAnyWhole = [...found.values()].includes(true);
  return [...found].flatMap(([form, isWhole]) => (isWhole || !isAnyWhole ? [form] : []));
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** Places that are looked at for one form. */
const maxPlaces = 20;

/** So many letters around a form tell where words begin and end: a run may be as long as a title. */
const around = 20;

/** Tells whether these runs have it as a word, the beginning or end of one, or as several: 革工 in 本革工房 is none. */
function createIsWord(runs: string): (form: string) => boolean {
  const told = new Map<string, boolean>();
  const find = (form: string): boolean => {
    let at = runs.indexOf(form);
    for (let places = 0; at >= 0 && places < maxPlaces; places += 1) {
      const start = Math.max(runs.lastIndexOf(" ", at) + 1, at - around);
      const [run = ""] = runs.slice(start, at + form.length + around).split(" ");
      const [from, to] = [at - start, at - start + form.length];
      const edges = [...[...segmenter.segment(run)].map(({ index }) => index), run.length];
      const atEdge = [from, to].filter((end) => edges.includes(end)).length;
      if (atEdge === 2 || (atEdge === 1 && !edges.some((edge) => edge > from && edge < to)))
        return true;
      at = runs.indexOf(form, at + 1);
    }
    return false;
  };
  return (form) => {
    const isWord = told.get(form) ?? find(form);
    told.set(form, isWord);
    return isWord;
  };
}

const hasSame = (a: string, b: string) => Array.from(a).some((letter) => b.includes(letter));

/** How much of the beginning of `part` is read as the whole word, the most; 0: nothing. Both as they are spoken. */
function lengthReadAs(word: string, part: string, readings: Readings, i = 0, j = 0): number {
  if (i === word.length) return j;
  if (j === part.length) return 0;
  const { byKanji, alone, isBegun } = readings;
  const lengthFrom = (toI: number, toJ: number) => lengthReadAs(word, part, readings, toI, toJ);
  const [letter, other] = [word.charAt(i), part.charAt(j)];
  let longest = letter === other ? lengthFrom(i + 1, j + 1) : 0;
  for (const [key, reading] of byKanji.get(other) ?? []) {
    if (!part.startsWith(key, j)) continue;
    if (word.startsWith(reading, i))
      longest = Math.max(longest, lengthFrom(i + reading.length, j + key.length));
    else if (isBegun && reading.startsWith(word.slice(i)))
      longest = Math.max(longest, j + key.length);
  }
  for (const [key, reading] of byKanji.get(letter) ?? []) {
    if (part.startsWith(reading, j) && word.startsWith(key, i))
      longest = Math.max(longest, lengthFrom(i + key.length, j + reading.length));
  }
  // A wrong kanji of the same sound: 既成 for 既製.
  const own = alone.get(letter);
  const others = alone.get(other);
  if (longest === 0 && own && others && [...own].some((reading) => others.has(reading)))
    longest = lengthFrom(i + 1, j + 1);
  return longest;
}

import { latinToken } from "../../index/fold.ts";
import { withLongVowels } from "../../index/japanese-forms.ts";
import { positionIn } from "../../index/numerals.ts";
import type { QueryWord } from "./query-words.ts";
import { foldedPattern, isLatin, isName, nameDot } from "./word-sql.ts";

/** How well a text has one word, from 0 (not at all) to 1 (as typed), and where. */
interface WordMatch {
  quality: number;
  /** Place among the text's words; -1 where it has none. */
  at: number;
  /** Only parts of the word are there: it may be mistyped. */
  isNear?: boolean;
  /** It is a single kanji that ends another word. */
  isEnd?: boolean;
  /** It is a unit that is there, and so is its number, but not side by side. */
  isApart?: boolean;
}

export interface TextMatch {
  words: WordMatch[];
  /** Share of the neighbouring pairs of the query that stand side by side in the text, in this order. */
  adjacency: number;
  /** How much of the text the found words are, from 0 to 1. */
  wholeness: number;
}

const asForm = 0.95;
const asLooseForm = 0.75;
const asBeginning = 0.6;
/** Less than a text needs to have the word. */
const asKindOf = 0.4;
const asNear = 0.7;
const inContext = 0.5;

const part = /\d+(?:[./]\d+)*|[a-z]+/g;
/** Neighbours that may be typed as one word: SXN-150-05 as sxn15005. */
const mostJoined = 5;
const noLatinOrDigit = /[^a-z0-9]/g;
const noLetter = /[^a-z0-9\u0080-\u1FFF\u3005-\u3007\u3041-\uFEFF]/g;

/** A folded text; the other forms of it are made when a word needs them. */
interface Text {
  folded: string;
  /** Its Latin letters and digits alone. */
  squeezed?: string;
  /** Positions of neighbours, as one word and as two, and of the parts of words of letters and digits. */
  parts?: Map<string, number>;
}

/** A form of a word, with what comparing it with many texts needs. */
interface Form {
  text: string;
  isLatin: boolean;
  /** Its letters and digits alone. */
  squeezed: string;
}

interface ComparedWord {
  forms: Form[];
  begun: string;
  loose: readonly string[];
  kindOf: string;
  /** What may be the beginning of a longer word; beside numbers alone it is as short as in the engine: ibu 400. */
  isBeginning: RegExp;
}

/**
 * Compares the words of a query with titles, and with the `context` around them (categories, shop), which
 * counts half. Both as `fold` gives them; pure.
 */
export function createTextMatcher(
  queryWords: readonly QueryWord[],
): (title: string, context: string) => TextMatch {
  const names = queryWords.filter(({ text }) => !/^\d/.test(text)).length;
  const words = queryWords.map(({ forms, loose, begun = "", kindOf = "" }): ComparedWord => ({
    forms: forms.map((text) => ({
      text,
      isLatin: isLatin(text),
      squeezed: text.replaceAll(noLatinOrDigit, ""),
    })),
    loose,
    begun,
    kindOf,
    isBeginning: names === 1 ? /^[a-z]{3,}$/ : /^[a-z]{4,}$/,
  }));
  const measures = queryWords.flatMap(({ measures: own = [] }, unit) =>
    own.map(({ alone, pattern }) => ({
      unit,
      alone: new RegExp(alone),
      pattern: new RegExp(pattern),
    })),
  );
  const lengths = queryWords.map(({ forms }) => forms[0]?.length ?? 0);
  return (text, context) => {
    const folded = withLongVowels(text);
    const title: Text = { folded };
    const around: Text = { folded: context };
    const matches = words.map((word): WordMatch => {
      const inTitle = findWord(word, title);
      if (context === "" || inTitle.quality > 0) return inTitle;
      return { quality: findWord(word, around).quality > asLooseForm ? inContext : 0, at: -1 };
    });
    for (const { unit, alone, pattern } of measures) {
      const isWhole = pattern.test(folded) || pattern.test(context);
      if (!isWhole && alone.test(folded) && (matches[unit]?.quality ?? 0) > 0)
        matches[unit] = { quality: asKindOf, at: -1, isApart: true };
    }
    // Where other words are missing, 木 in 栃木 says too little.
    if (matches.some(({ quality }) => quality === 0)) {
      for (const match of matches) if (match.isEnd) Object.assign(match, { quality: 0, at: -1 });
    }
    const letters = folded.replaceAll(noLetter, "").length;
    const found = lengths.reduce(
      (sum, length, i) => sum + ((matches[i]?.at ?? -1) >= 0 ? length : 0),
      0,
    );
    return {
      words: matches,
      adjacency: adjacencyOf(lengths, matches),
      wholeness: letters === 0 ? 0 : Math.min(1, found / letters),
    };
  };
}

function adjacencyOf(lengths: readonly number[], matches: readonly WordMatch[]): number {
  if (matches.length < 2) return 0;
  let pairs = 0;
  for (let i = 1; i < matches.length; i += 1) {
    const before = matches[i - 1]?.at ?? -1;
    const here = matches[i]?.at ?? -1;
    const gap = here - before - (lengths[i - 1] ?? 0);
    if (before >= 0 && here >= 0 && gap >= -2 && gap <= 3) pairs += 1;
  }
  return pairs / (matches.length - 1);
}

function findWord(
  { forms, loose, begun, kindOf, isBeginning }: ComparedWord,
  text: Text,
): WordMatch {
  const { folded } = text;
  if (begun !== "") {
    const at = positionOfLatin(begun, folded, "beginning");
    if (at >= 0) return { quality: 1, at };
    const whole = positionOfLatin(begun.slice(0, -1), folded);
    return { quality: whole < 0 ? 0 : asBeginning, at: whole };
  }
  for (const [i, form] of forms.entries()) {
    const at = form.isLatin
      ? positionOfLatin(form.text, folded)
      : positionOfJapanese(form.text, folded);
    if (at >= 0 && (i === 0 || !isInsideKana(form.text, folded, at)))
      return { quality: i === 0 ? 1 : asForm, at };
  }
  const [first] = forms;
  if (!first) return { quality: 0, at: -1 };
  for (const form of first.isLatin ? loose : []) {
    const at = positionOfLatin(form, folded);
    if (at >= 0) return { quality: asLooseForm, at };
  }
  // Also for a Japanese word, which may have Latin forms: 6L for リットル.
  for (const form of forms) {
    const at = positionOfPart(form, text);
    if (at >= 0) return { quality: asForm, at };
  }
  if (!first.isLatin) {
    const pattern = first.text.length === 1 ? foldedPattern(first.text) : null;
    const end = pattern === null ? -1 : folded.search(new RegExp(pattern));
    if (end >= 0) return { quality: asBeginning, at: end, isEnd: true };
    return nearWord(first.text, loose, folded);
  }
  const at = isBeginning.test(first.text) ? positionOfLatin(first.text, folded, "beginning") : -1;
  if (at >= 0) return { quality: asBeginning, at };
  if (forms.some((form) => hasAllParts(form, text)))
    return { quality: asKindOf, at: -1, isNear: true };
  const end = kindOf === "" ? -1 : positionOfLatin(kindOf, folded);
  return { quality: end >= 0 ? asKindOf : 0, at: end, isNear: end >= 0 };
}

/** Where the text has it as one of its words (see `latinTokens`), or as the beginning of one; -1: nowhere. */
function positionOfLatin(form: string, folded: string, as?: "beginning"): number {
  for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, at + 1)) {
    if (isEdge(folded, at - 1) && (as || isEdge(folded, at + form.length))) return at;
  }
  return -1;
}

/** Whether a word ends at this character: it is no letter or digit, and no `.` or `/` inside a number. */
function isEdge(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isLetterOrDigit(code)) return false;
  const isJoint = code === 46 || code === 47;
  return !(isJoint && isDigit(text.charCodeAt(at + 1)) && isLetterOrDigit(text.charCodeAt(at - 1)));
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetterOrDigit = (code: number) => isDigit(code) || (code >= 97 && code <= 122);

/** A form that the text has as several words, or as part of one of letters and digits. */
function positionOfPart(form: Form, text: Text): number {
  text.squeezed ??= text.folded.replaceAll(noLatinOrDigit, "");
  if (!text.squeezed.includes(form.squeezed)) return -1;
  text.parts ??= partsOf(text.folded);
  const at = text.parts.get(form.text);
  return at ?? (isCode.test(form.squeezed) ? text.parts.get(form.squeezed) : undefined) ?? -1;
}

/** Whether the text has a name and its number apart: GoPro HERO12 for gopro12. */
function hasAllParts({ text: form }: Form, text: Text): boolean {
  if (!/^[a-z]{3,} [0-9]+$/.test(form)) return false;
  const parts = (text.parts ??= partsOf(text.folded));
  return form.split(" ").every((word) => parts.has(word));
}

/** Of letters and digits, which a text may have with signs between them: ECAM 22.110.B. */
const isCode = /^(?=.*[a-z])(?=.*\d)/;

function partsOf(folded: string): Map<string, number> {
  const list = [...folded.matchAll(latinToken)].map(({ 0: text, index: start }) => {
    return { text, start, pieces: text.match(part) ?? [] };
  });
  const parts = new Map<string, number>();
  for (const [i, { text, start, pieces }] of list.entries()) {
    // 1.5 in 1.5l is a word by itself.
    parts.set(text, start);
    const next = list[i + 1];
    if (next) parts.set(`${text} ${next.text}`, start);
    let joined = text;
    for (const other of list.slice(i + 1, i + mostJoined)) {
      for (const piece of other.pieces) {
        parts.set((joined += piece), start);
        parts.set(joined.replaceAll(/[./]/g, ""), start);
      }
    }
    if (!/\d[a-z]|[a-z][./]?\d/.test(text)) continue;
    parts.set(pieces.join(" "), start);
    for (const [from, piece] of pieces.entries()) {
      let run = "";
      for (const next of [piece, ...pieces.slice(from + 1, from + mostJoined)])
        parts.set((run += next), start);
    }
  }
  return parts;
}

/** Japanese with a wrong letter, or half of a compound: as good as its pairs of letters are there. */
function nearWord(word: string, halves: readonly string[], folded: string): WordMatch {
  const at = Math.max(...halves.map((half) => folded.indexOf(half)));
  if (halves.length === 0 || at < 0) return { quality: 0, at: -1 };
  const letters = Array.from(word);
  const pairs = letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
  const found = pairs.filter((pair) => folded.includes(pair)).length;
  return { quality: (asNear * found) / pairs.length, at, isNear: true };
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** Whether it is a short piece of longer kana: いす for 椅子 in ういすきー, not ぜるだ in ぜるだの伝説, nor なべ in おなべ. */
function isInsideKana(form: string, folded: string, at: number): boolean {
  if (!/^[ぁ-ゖー]{1,3}$/.test(form)) return false;
  const before = folded.slice(Math.max(0, at - 2), at).replace(/(?<![ぁ-ゖー])お$/, "");
  const rest = folded.slice(at + form.length, at + form.length + 2);
  return /[ぁ-ゖー]$/.test(before) || /^(?!の[^ぁ-ゖー])[ぁ-ゖー]/.test(rest);
}

/**
 * A word of kanji counts where a word begins, or ends one: 電池 stands in 乾電池, 京都 not in 東京都. Nor does 2つ in 12つ.
 */
function positionOfJapanese(form: string, folded: string): number {
  const at = positionIn(folded, form);
  if (at < 0 && isName(form) && folded.includes(nameDot))
    return positionIn(folded.replaceAll(nameDot, ""), form);
  if (
    at <= 0 ||
    !/^\p{Script=Han}+$/u.test(form) ||
    !/(?![第御])\p{Script=Han}/u.test(folded.charAt(at - 1))
  ) {
    return at;
  }
  for (const { index, segment } of segmenter.segment(folded)) {
    if (index >= at && folded.startsWith(form, index)) return index;
    if (form.length > 1 && segment.endsWith(form)) return index + segment.length - form.length;
  }
  return -1;
}

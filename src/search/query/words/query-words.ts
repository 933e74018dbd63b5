import { fold, foldLetters } from "../../index/fold.ts";
import { isFunctionWord } from "../../index/function-words.ts";
import { isCounted, otherCounter, withoutOkurigana } from "../../index/japanese-forms.ts";
import { inDigits, otherNumber } from "../../index/numerals.ts";
import { otherRepeats } from "../../index/repeated-kana.ts";
import { otherCompounds, otherNumeral, spellingsOf } from "../../index/spellings.ts";
import { withoutKanaPrefix } from "../../index/polite.ts";
import { numberMarkedBy, withMarksApart } from "../../index/volumes.ts";
import {
  isUnit,
  looseForms,
  measuresOfCups,
  otherForms,
  otherMeasures,
  pluralForms,
  withUmlauts,
} from "../../index/word-forms.ts";
import { isKnown, japaneseParts } from "./japanese-words.ts";
import { cellSizeOf, measureOf, type Measure } from "./measures.ts";

/** One word of a query, and what a text may have in its place; all but `text` as `fold` gives it. */
export interface QueryWord {
  /** As typed, in the letters of `foldLetters`. */
  text: string;
  /** The word itself, then other forms and spellings of it; several words with spaces between them. */
  forms: string[];
  /** Less certain forms: other endings. */
  loose: string[];
  /** Where nothing has the word: what it ends with, of which it is one kind. */
  kindOf?: string | undefined;
  /** A decimal number that is still being typed begins so: 1. */
  begun?: string;
  /** Of a unit: what it is with its numbers. */
  measures?: Measure[];
}

const run = /[a-z0-9]+(?:[./][0-9]+)*|(?!\p{ASCII})[\p{L}\p{N}][^\p{ASCII}\s\p{P}\p{S}]*/gu;
const maxWords = 20;
const openDecimal = /(?<![0-9.,])([0-9]{1,2})[.,]$/;

/** The words of what was typed outside quotes; `plain`: normalised. At most twenty, repeated ones once. */
export function readQueryWords(plain: readonly string[]): QueryWord[] {
  const words = new Map<string, QueryWord>();
  const parts = plain.flatMap((chunk, i) => partsOf(chunk, plain[i - 1]));
  const named = withNeighbours(parts, foldLetters(plain.join(" ")));
  for (const { text, joined, measure } of named.length > 0 ? named : plain.flatMap(signsOf)) {
    const folded = fold(text);
    const known = words.get(folded);
    const forms = [folded, ...otherForms(folded), ...(joined ?? [])];
    words.set(folded, {
      text,
      forms: [...new Set([...(known?.forms ?? []), ...forms])],
      loose: [...looseForms(folded), ...halvesOf(folded), ...neighboursIn(folded)],
      ...(measure ? { measures: [...(known?.measures ?? []), measure] } : {}),
    });
  }
  const [, open = ""] = openDecimal.exec(plain.at(-1) ?? "") ?? [];
  const half = words.get(open);
  if (half) half.begun = `${open}.`;
  const list = [...words.values()].slice(0, maxWords);
  return list.map((word, i) => joinedWith(word, list[i - 1], list[i + 1]));
}

export type WordKind = "name" | "measure" | "function word";

/** What one of these words is: also the counter behind a number is a measure. */
export function kindOf(
  { forms: [text = ""] }: QueryWord,
  i: number,
  words: readonly QueryWord[],
): WordKind {
  if (isFunctionWord(text)) return "function word";
  const isNumber = (folded = "") => /^[\d./]+$/.test(folded);
  const isCounter =
    /^\dけーす$/.test(text) || (isNumber(words[i - 1]?.forms[0]) && /^[一-鿿]$/.test(text));
  return isNumber(text) || isCounter || isUnit(text) ? "measure" : "name";
}

const graphemes = new Intl.Segmenter("ja", { granularity: "grapheme" });

/** Gives each word of a query back as it was typed there: Größe for grosse. */
export function createAsTyped(q: string): (text: string) => string {
  const typed = [...graphemes.segment(q)].map(({ segment }) => segment);
  const folded = typed.map((letter) => foldLetters(letter) || " ");
  const starts = new Map<number, number>();
  let length = 0;
  for (const [i, { length: own }] of folded.entries()) {
    starts.set(length, i);
    length += own;
  }
  starts.set(length, folded.length);
  const line = folded.join("");
  return (text) => {
    const escaped = text.replaceAll(/[^\p{L}\p{N}]/gu, (sign) =>
      sign === "." ? "[.,]" : `\\${sign}`,
    );
    const whole = line.search(new RegExp(`(?<![a-z0-9])${escaped}(?![a-z0-9])`));
    const at = whole === -1 ? line.indexOf(text) : whole;
    const from = starts.get(at);
    const to = starts.get(at + text.length);
    return from === undefined || to === undefined ? text : typed.slice(from, to).join("");
  };
}

/** Typed apart, `t shirt` also means `tshirt`. */
function joinedWith(word: QueryWord, before?: QueryWord, after?: QueryWord): QueryWord {
  const isLetters = (other?: QueryWord) =>
    other !== undefined && /^[a-z0-9]+$/.test(other.forms[0] ?? "");
  if (!isLetters(word)) return word;
  const pairs = [
    ...(isLetters(before) ? [`${before?.forms[0]}${word.forms[0]}`] : []),
    ...(isLetters(after) ? [`${word.forms[0]}${after?.forms[0]}`] : []),
  ].filter((pair) => pair.length > 3);
  return { ...word, forms: [...new Set([...word.forms, ...pairs, ...pairs.map(withUmlauts)])] };
}

/** The beginning and the end of a long Japanese or Korean word: one wrong letter leaves one of them whole. */
function halvesOf(folded: string): string[] {
  const letters = Array.from(folded);
  if (letters.length < 4 || !/^[ぁ-んー\p{Script=Han}\p{Script=Hangul}]+$/u.test(folded)) return [];
  const length = Math.max(3, Math.ceil(letters.length / 2));
  return [letters.slice(0, length).join(""), letters.slice(-length).join("")];
}

/** Groups of two to four digits, of which the first and the last may be a single one, that a part number is written in: 0 986 479 058. */
function groupsOf(digits: string): string[] {
  const rest = (from: number, fewest: number): string[] => {
    if (from === digits.length) return [""];
    const sizes = [1, 2, 3, 4].filter(
      (size) => (size >= fewest || from + 1 === digits.length) && from + size <= digits.length,
    );
    return sizes.flatMap((size) =>
      rest(from + size, 2).map((others) => `${digits.slice(from, from + size)} ${others}`),
    );
  };
  return rest(0, 1).map((groups) => groups.trim());
}

/** Two or three words that may be typed as one: gardenstake, galaxys23, mxmaster3s; and two numbers: ecam 22 110 b for ecam22110b. */
function neighboursIn(folded: string): string[] {
  if (/^\d{7,11}$/.test(folded)) return groupsOf(folded);
  const isCode = /^(?=.*\d)[a-z]{3}[a-z0-9]{2,27}$|^[a-z]{1,2}\d{4,8}[a-z]?$/.test(folded);
  if (!isCode && !/^[a-z]{7,30}$/.test(folded)) return [];
  const [letters = ""] = /^[a-z]+/.exec(folded) ?? [];
  const [, name, digits = "", end = ""] = /^([a-z]+)(\d{4,8})([a-z]?)$/.exec(folded) ?? [];
  const numbers = Array.from(digits.slice(3), (_, i) =>
    `${name} ${digits.slice(0, i + 2)} ${digits.slice(i + 2)} ${end}`.trim(),
  );
  return [
    ...splitsOf(folded, 3, isCode ? 2 : 3),
    ...(isCode
      ? splitsOf(letters, 2, 3).map((two) => `${two} ${folded.slice(letters.length)}`)
      : []),
    ...numbers,
  ];
}

/** Two words of at least so many letters. */
function splitsOf(word: string, fewestBefore: number, fewestBehind: number): string[] {
  const places = Math.max(0, word.length - fewestBefore - fewestBehind + 1);
  return Array.from({ length: places }, (_, i) => i + fewestBefore).map(
    (at) => `${word.slice(0, at)} ${word.slice(at)}`,
  );
}
interface Part {
  text: string;
  joined?: string[];
  measure?: Measure | null;
}

const runsOf = (text: string) => [...text.matchAll(run)].map(([found]) => found);
/** What an apostrophe parts from a word is none: women's, d'été. */
const elided = /^(?:[cdjlmnst]|qu)'(?=[a-z]{3})|(?<=^[a-z]{2,})'s$/;

/** In German: no thousands begin with 0. */
const thousandths = /(?<![\d.,])0,(\d{3})(?![\d.,])/g;
/** Of drinks; behind a Latin word it is the case of a model: xperia 1ケース. */
const caseful = /(?<![a-z0-9.])([1-9])ケース(?!用|付)/;

function partsOf(chunk: string, before = ""): Part[] {
  if (isKnown(chunk)) return withJapaneseForms([chunk]);
  const letters = withMarksApart(foldLetters(chunk).replaceAll(thousandths, "0.$1"));
  const [counted, count = ""] = /[a-z]$/i.test(before) ? [] : (caseful.exec(letters) ?? []);
  if (counted !== undefined) {
    const joined = [`${count}箱`, "ケース販売", "ケース売"].map(fold);
    const others = letters.split(counted).flatMap((text) => (text === "" ? [] : partsOf(text)));
    return [...others, { text: counted, joined }];
  }
  const runs = runsOf(letters);
  const latin = runs.filter((text) => /^[a-z0-9]+$/.test(text));
  // `t-shirt` also means `tshirt` and `tshirts`.
  const whole = runs.length === latin.length && runs.length > 1 ? latin.join("") : "";
  const joined = whole === "" ? [] : [whole, ...pluralForms(whole), ...numeralsIn(latin)];
  return runsOf(letters.replace(elided, "")).flatMap((text): Part[] =>
    /^[a-z0-9]/.test(text)
      ? latinParts(text, joined)
      : withJapaneseForms(/[ゝゞ]/.test(text) ? [text] : japaneseParts(text)),
  );
}

/** Typed alone, an emoji is what to find; beside words it is an ornament. */
function signsOf(chunk: string): Part[] {
  return (foldLetters(chunk).match(/(?!\p{ASCII})\p{S}/gu) ?? []).map((text) => ({ text }));
}

/** sk ii and skii for sk2. */
function numeralsIn([name = "", number = "", ...others]: readonly string[]): string[] {
  if (others.length > 0) return [];
  return otherNumeral(number).flatMap((other) => [`${name} ${other}`, name + other]);
}

/** 500ml is a number and its unit; a model number stays whole and may be written in parts. */
function latinParts(text: string, joined: string[]): Part[] {
  const pieces = text.match(/\d+(?:[./]\d+)*|[a-z]+/g) ?? [];
  const [number = "", unit = ""] = pieces;
  if (pieces.length === 2 && /^\d/.test(number) && isUnit(unit)) {
    return [{ text: number }, { text: unit }];
  }
  return [
    {
      text,
      joined: [
        ...(pieces.length > 1 && pieces.length < 5 ? [pieces.join(" ")] : []),
        ...numeralsIn(pieces),
        ...(pieces.length === 2 ? otherMeasures(number, unit) : []),
        ...(/^0\.\d{3}$/.test(text) ? [text.replace(".", ",")] : []),
        ...joined,
      ],
    },
  ];
}

/** 1.8 l for 1800 ml, 単3 for 単三, 一番 for 1 and for 番 in 1番, and the reverse; 3 for 巻 in 3巻. */
function withNeighbours(parts: readonly Part[], typed: string): Part[] {
  return parts.map(({ text, joined = [] }, i) => {
    const [before = "", after = "", next = ""] = [i - 1, i + 1, i + 2].map((at) => parts[at]?.text);
    const others = [
      ...otherMeasures(text, fold(after)),
      ...otherMeasures(before, fold(text)),
      ...(/\d$/.test(before) ? otherCounter(before + text) : []),
      ...(/[単第]$/.test(before) ? otherNumber(text) : []),
      ...(/^[一-鿿]/.test(after) ? otherNumber(text).map((number) => number + after) : []),
      ...(/^[一-鿿]$/.test(text) ? otherNumber(before).map((number) => number + text) : []),
      ...numberMarkedBy(text, before, [after, next]).flatMap(numbersFor),
      ...(isUnit(fold(after)) ? [] : withZero(text)),
      ...[text, before + text, text + after].flatMap(measuresOfCups),
    ];
    const measure =
      measureOf(before, fold(text), typed.includes(before + text)) ?? cellSizeOf(text, after);
    return { text, joined: [...joined, ...others], measure };
  });
}

/** 03 and 3.0 for 3: of a shade, a volume, a screw; 23 for 23.0, of a shoe. */
const withZero = (number: string) =>
  /^[1-9]$/.test(number) ? [`0${number}`, `${number}.0`] : (number.match(/^\d{2}(?=\.0$)/) ?? []);

/** 3 and iii for 三. */
const numbersFor = (text: string) => [inDigits(text), ...otherNumeral(inDigits(text))];

/** 암막 커튼 for 암막커튼: where a word ends, only a dictionary would tell. */
const hangulApart = (text: string) =>
  /^\p{Script=Hangul}{4,8}$/u.test(text)
    ? Array.from(text.slice(3), (_, i) => `${text.slice(0, i + 2)} ${text.slice(i + 2)}`)
    : [];

/** 悟空 for 悟 and for 空, of which 孫悟空 neither begins nor ends with the former; 引出 for 引き出し, 清浄機 for 清浄器, 貼付 for 貼り beside 付け, 2つ for 二つ, 白 for 白い, 絵の具 for 絵具, 歳暮 for お歳暮, 箸 for おはし, and 巻セット for 全巻. */
function withJapaneseForms(texts: readonly string[]): Part[] {
  return texts.map((text, i) => {
    const [before = "", after = ""] = [texts[i - 1], texts[i + 1]];
    const shorter = [text, before + text, text + after].flatMap((whole) => {
      const form = withoutOkurigana(whole);
      return [...(form === whole || form.length < 2 ? [] : [form]), ...otherCompounds(whole)];
    });
    const digit = isCounted(text + after) ? numbersFor(text) : [];
    const stem = text.replace(/^[お御ご](?=[一-鿿])|(?<=^[一-鿿]{1,2})い$/, "");
    const device = (before + text).replace(/(?<=[一-鿿]{2})[機器]$/, (end) =>
      end === "機" ? "器" : "機",
    );
    const apart = text.replace(/^([一-鿿])([一-鿿])$/, "$1の$2");
    const joint = text.replace(/^([一-鿿])の([一-鿿])$/, "$1$2");
    const others = [stem, device, apart, joint, ...hangulApart(text)].filter(
      (other) => other !== text && other !== before + text,
    );
    const plain = isKnown(text)
      ? []
      : withoutKanaPrefix(text).flatMap((name) => spellingsOf(fold(name)));
    const pairs = text.length === 1 ? [before + text, text + after] : [];
    const all = [
      ...shorter,
      ...digit,
      ...others,
      ...plain,
      ...otherRepeats(text),
      ...(text === "全巻" ? ["巻セット", "巻 セット"] : []),
      ...pairs.filter((pair) => /^[一-鿿]{2}$/.test(pair)),
    ];
    return { text, joined: all.map(fold) };
  });
}

import { toOneSize } from "./attributes.ts";
import { squeeze } from "./fold.ts";
import { peculiarities, subjects } from "./subjects.ts";

/** For each subject and each peculiarity the bits of the kinds that a folded title names. */
export function readKinds(folded: string): readonly number[] {
  return [...subjects, ...peculiarities.map((one) => [one])].map((kinds) =>
    kinds.reduce((bits, kind, i) => (kind.test(folded) ? bits | (1 << i) : bits), 0),
  );
}

export function isOtherKind(left: readonly number[], right: readonly number[]): boolean {
  return left.some((bits, i) => {
    const others = right[i] ?? 0;
    return i < subjects.length ? bits !== 0 && others !== 0 && !(bits & others) : bits !== others;
  });
}

/** Consonants, for vowels are words in some languages, and `x` is a sign. */
const lone =
  /(?<![\p{L}\p{N}'’.,/&+°-]|(?:^|[ (,])\d{1,4} )(?:[b-df-hj-np-tvwz]|xs|x{1,3}l|ll|[2-6]xl|[3-6]l)(?![\p{L}\p{N}'’.,°/&+-])/gu;
const sizeWord = /(?<![a-z])(?:small|medium|large)(?![a-z])/g;
const letterSize = /^\d?x*[sml]$/;

/** Processors and graphics cards to the last letter (`i9-13900KS`, `RTX 3070 Ti`), and what a tyre bears (`94Y`). */
const chip =
  /(?<![a-z])i[3579][- ]?\d{4,5}[a-z]{0,2}(?![a-z0-9])|(?<![a-z])ryzen [3579] (?:pro )?\d{4}(?:x3d|[a-z]{0,2})(?![a-z0-9])|(?<![a-z])(?:[rg]tx?|rx) ?\d{3,4}(?: ?(?:ti super|ti|super|xtx|xt))?(?![a-z0-9])/g;
/** Versions, as of models that are made anew. */
const version = /(?<=(?<![a-z])ver(?:sion)?[. ]{0,2})\d+(?:\.\d+)?(?![\d.])/g;
/** Of a series by its numeral: 化粧水 II and III; with a number before it, `readQualifiers` tells it. */
const numeral = /(?<![\p{L}\p{N}-])(?:i[iv]|iii|vi{1,3}|ix|xi{1,3}|x?iv|xvi?)(?![\p{L}\p{N}-])/gu;
/** Of cables, pencils and the nibs of fountain pens: `CAT6` and `CAT6A`, `2B` and `HB`, `F` and `EF`. */
const grade =
  /(?<![a-z])cat(?:egory)?[. ]?\d[ae]?(?![a-z0-9])|(?<![a-z0-9.])(?:[2-9][hb]|hb)(?![a-z0-9])|(?<![a-z-])(?:e?f|mf|m|b)(?![a-z0-9-])(?<=^(?=.*(?:万年筆|full(?:feder)?halter|fuller|fountain pen|stylo plume)).*)/g;
const load = /(?<= z?r\d{2} )\d{2,3}(?:\/\d{2,3})?[a-z](?![a-z])/g;

/**
 * What a title names, a set for each kind: letters and sizes that stand alone, as the `M` of a jacket or the
 * `R` of a shaft; sizes; chips; loads; versions; numerals; grades; editions of books. `rest`: the title without its
 * measures; `size`: the one that it names by words.
 */
export function readMarks(
  folded: string,
  rest: string,
  size: string | null,
): readonly ReadonlySet<string>[] {
  const letters = [...(rest.match(lone) ?? []), ...(size === null ? [] : [size])].map(toOneSize);
  const sizes = letters.filter((letter) => letterSize.test(letter));
  const words = (folded.match(sizeWord) ?? []).map((word) => word.charAt(0));
  return [
    letters.filter((letter) => !/^[\d.]+$/.test(letter)),
    [...sizes, ...words],
    ...[chip, load, version, numeral, grade].map((kind) => (folded.match(kind) ?? []).map(squeeze)),
    readEditionNumbers(folded),
  ].map((marks) => new Set(marks));
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const bookEdition = new RegExp(
  String.raw`(?<![\d.])(?:(\d{1,2})(?:st|nd|rd|th)|(${ordinals.join("|")})) (?:[a-z]{1,20} )?ed(?:ition|\.)|(?<![\d.])(\d{1,2})\. ?auf(?:l\.|lage)|第(\d{1,2})版`,
  "g",
);

/** `4th edition`, `Fourth Edition`, `4. Auflage`, 第4版. */
function readEditionNumbers(folded: string): string[] {
  return [...folded.matchAll(bookEdition)].map(([, english, word = "", german, japanese]) =>
    String(Number(english ?? german ?? japanese ?? ordinals.indexOf(word) + 1)),
  );
}

/** Whether both name marks of a kind, and none in common. */
export function hasOtherMark(left: Marks, right: Marks): boolean {
  return left.some((marks, i) => {
    const others = right[i];
    return marks.size > 0 && others && others.size > 0 && ![...marks].some((m) => others.has(m));
  });
}

/** Whether each names a code that the other lacks, and these differ in their digits alone: `11-25T` and `11-28T`. */
export function hasOtherNumber(left: readonly string[], right: readonly string[]): boolean {
  const others = lonelyShapes(right, left, /\d/g);
  return lonelyShapes(left, right, /\d/g).some((shape) => others.includes(shape));
}

/** Whether one title has a code and the other instead a longer one that another dash ends: `KAM-6CL` and `KAM-6CL-L`. */
export function hasOtherEnd(left: readonly string[], right: readonly string[]): boolean {
  const isLonger = (own: readonly string[], other: readonly string[]) =>
    own.some(
      (code) =>
        !other.includes(code) &&
        other.some((short) => !own.includes(short) && short === code.replace(/-[a-z]$/, "")),
    );
  return isLonger(left, right) || isLonger(right, left);
}

/** The same of codes that begin alike but for their numbers: `T6` and `T7i`. */
export function haveSiblings(left: readonly string[], right: readonly string[]): boolean {
  const others = lonelyShapes(right, left, /\d+/g);
  return lonelyShapes(left, right, /\d+/g).some((a) =>
    others.some((b) => a.startsWith(b) || b.startsWith(a)),
  );
}

function lonelyShapes(own: readonly string[], other: readonly string[], digits: RegExp): string[] {
  return own
    .filter((code) => /[a-z]/.test(code) && !other.includes(code))
    .map((code) => code.replaceAll(digits, "0"));
}

type Marks = ReturnType<typeof readMarks>;

/**
 * Whether two titles are the same but for a short word at one place that tells two variants apart: two letters
 * (`AC` and `DC`), a word with another number (`4E` and `2E`), one or two kanji (`赤軸` and `茶軸`).
 */
export function differsInMark(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length || left.length < 3) return false;
  const at = left.findIndex((word, i) => word !== right[i]);
  if (at === -1 || left.slice(at + 1).some((word, i) => word !== right[at + 1 + i])) return false;
  const [a, b] = [left[at] ?? "", right[at] ?? ""];
  if (isLengthened(a, b) || isLengthened(b, a)) return true;
  // `R17` and `ZR17` are one.
  if (a.includes(b) || b.includes(a) || sameSizes.has(`${a} ${b}`) || toOneSize(a) === toOneSize(b))
    return false;
  return isMark.test(`${a} ${b}`) || shapeOf(a) === shapeOf(b) || kanjiOnly.test(difference(a, b));
}

/** By one or two letters that tell a variant apart from a short name: `97` and `97L`, `V1` and `V1x`, `X` and `XG`. */
function isLengthened(short: string, long: string): boolean {
  const more = long.slice(short.length);
  return (
    /^(?:[a-z]{1,2}|(?=[a-z]*\d)[a-z\d]{1,3})$/.test(short) &&
    long.startsWith(short) &&
    /^[a-z]{1,2}$/.test(more)
  );
}

const isMark = /^(?:[a-z]{1,2} [a-z]{1,2}|(?=[a-z.]*\d)[a-z\d.]{1,4} (?=[a-z.]*\d)[a-z\d.]{1,4})$/;
const kanjiOnly = /^\p{sc=Han}{1,2} \p{sc=Han}{1,2}$/u;

/** Both tell of European sizes. */
const sameSizes = new Set(["eu gr", "gr eu"]);

/** Of two words with different numbers. */
function shapeOf(word: string): string {
  return word.replaceAll(/\d+/g, "0");
}

/** What is left of both without what they have in common at their ends. */
function difference(a: string, b: string): string {
  const shortest = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shortest && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shortest - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return `${a.slice(begin, a.length - end)} ${b.slice(begin, b.length - end)}`;
}

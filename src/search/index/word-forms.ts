import { unitTable } from "../../catalog/unit-price/units.ts";
import { fold } from "./fold.ts";
import { inDigits, inKanji, pieceCounters } from "./numerals.ts";
import { otherNumeral, spellingsOf } from "./spellings.ts";

const units = new Map(
  unitTable
    .map(({ spellings }) => spellings.split(" "))
    .flatMap((group) => group.map((unit) => [fold(unit), group[0] ?? unit] as const)),
);
const unitsOf = new Map<string, string[]>();
for (const [unit, first] of units) unitsOf.set(first, [...(unitsOf.get(first) ?? []), unit]);

export const isUnit = (folded: string): boolean => units.has(folded);

/** All of their spellings, folded. */
export const unitNames: readonly string[] = [...units.keys()];

/** The other spellings of a unit of measure, folded: `inch` for `in`; none for other words. */
export function unitSpellings(folded: string): string[] {
  const first = units.get(folded);
  return first === undefined ? [] : (unitsOf.get(first) ?? []).filter((unit) => unit !== folded);
}

const fraction = /^(?:(\d+)[- ])?(\d+)\/(\d+)$/;

/** `3/4` for `0.75` and the reverse, `1-1/2` for `1.5`; none if there is no short one. */
export function numberSpellings(text: string): string[] {
  const match = fraction.exec(text);
  if (match) {
    const [, whole = "0", top, bottom] = match;
    const value = Number(whole) + Number(top) / Number(bottom);
    return Number.isFinite(value) ? [String(Math.round(value * 10_000) / 10_000)] : [];
  }
  if (!/^\d*\.\d+$/.test(text)) return [];
  const value = Number(text);
  const whole = Math.floor(value);
  for (const bottom of [2, 3, 4, 8, 16, 32]) {
    const top = Math.round((value - whole) * bottom);
    if (top > 0 && top < bottom && Math.abs(whole + top / bottom - value) < 0.004) {
      return whole > 0 ? [`${whole}-${top}/${bottom}`] : [`${top}/${bottom}`];
    }
  }
  return [];
}

/** Measures of one kind: how many of the smallest one of each is. */
const scales = [
  { ml: 1, cl: 10, dl: 100, l: 1000 },
  { mg: 1, g: 1000, kg: 1_000_000 },
  { mm: 1, cm: 10, m: 1000 },
  { gb: 1, tb: 1000 },
];
const scaleOf = new Map(
  scales.flatMap((scale) =>
    Object.keys(scale).map((unit) => [unit, new Map(Object.entries(scale))]),
  ),
);

/** Whether it is a unit of a kind that has several: no word of another meaning, as `in` and `a` are. */
export const isScaled = (folded: string): boolean => scaleOf.has(units.get(folded) ?? "");

/**
 * The same measure in other units: `1.8 l` for 1800 and `ml`; none with an awkward number. Of screens, 型 are inches. Both
 * folded.
 */
export function otherMeasures(number: string, unit: string): string[] {
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(number)) return [];
  if (unit === "型") return [`${number}いんち`, `${number} in`, `${number} inch`];
  if (unit === "形") return [`${number} w`, `${number}わつと`];
  const own = units.get(unit) ?? "";
  if (own === "") return /^[a-z]{1,3}$/.test(unit) ? otherDecimals(number, unit) : [];
  const scale = scaleOf.get(own) ?? new Map<string, number>();
  const value = Number(number) * (scale.get(own) ?? 1);
  // ミリ is mm, and ml as well.
  if (unit === "みり") return [`${number} ml`];
  const others = [...scale].flatMap(([other, size]) => {
    const text = String(Math.round((value / size) * 1000) / 1000);
    const isSame = Math.abs(Number(text) * size - value) < 0.0005 * value;
    return other === own || !isSame || Number(text) < 0.1 || text.length > 5
      ? []
      : [other, ...unitSpellings(other)].filter(isLatin).map((unit) => `${text} ${unit}`);
  });
  const ofScreens = own === "in" ? [`${number}型`, `${number}v型`] : [];
  const counters = { 個: Array.from(pieceCounters), 本: ["缶"] }[own] ?? [];
  const ofPieces = [
    ...(own === "個" ? [`${number} st`] : []),
    ...counters.map((counter) => number + counter),
  ];
  const named = own === "w" ? [`${number}形`] : scale.has("ml") ? inCups(value) : [];
  return [...otherDecimals(number, own), ...others, ...ofScreens, ...ofPieces, ...named];
}

/** What sake is measured by, in ml. */
const cups: Record<string, number> = { 升: 1800, 合: 180 };

/** 四合 for 720 ml. */
const inCups = (ml: number): string[] =>
  Object.keys(cups)
    .map((unit) => inKanji(`${ml / (cups[unit] ?? 1)}${unit}`))
    .filter((form) => /^[一二三四五]\D$/.test(form));

/** 720 ml for 四合, and 1.8 l for 一升瓶. */
export function measuresOfCups(word: string): string[] {
  const [, number = "", unit = ""] = /^([一二三四五])([合升])瓶?$/.exec(word) ?? [];
  const ml = String(Number(inDigits(number)) * (cups[unit] ?? 0));
  return number === "" ? [] : [`${ml} ml`, ...otherMeasures(ml, "ml")];
}

/** 24.0 cm and 5.0 ah for 24 cm and 5 ah, and the reverse. */
function otherDecimals(number: string, unit: string): string[] {
  const other = number.endsWith(".0") ? number.slice(0, -2) : `${number}.0`;
  return /^\d{1,2}(?:\.0)?$/.test(other) ? [`${other} ${unit}`] : [];
}

const isLatin = (word: string) => /^[a-z]+$/.test(word);

const vowelOrNone = /[aeiou]$/;

/**
 * Singular and plural of an English word in the form of `fold`, the likelier first. Some are guesses: a
 * form that no text has finds nothing.
 */
export function pluralForms(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [];
  if (/(?:ss|us|is)$/.test(word)) return [`${word}es`];
  if (word.endsWith("ies") && word.length > 4) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (/(?:ch|sh|x|z|ss|o)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)];
  if (word.endsWith("ves") && word.length > 4) {
    return [word.slice(0, -1), `${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`];
  }
  if (/s$|eaux$/.test(word) && word.length > 3) return [word.slice(0, -1)];
  if (/(?:ch|sh|x|z|s)$/.test(word)) return [`${word}es`];
  if (/(?:[lr]|ea|oa)f$|ife$/.test(word)) return [`${word}s`, word.replace(/fe?$/, "ves")];
  if (word.endsWith("y") && !vowelOrNone.test(word.slice(0, -1)))
    return [`${word.slice(0, -1)}ies`];
  return word.endsWith("eau") ? [`${word}x`, `${word}s`] : [`${word}s`];
}

/** ae, oe and ue, where they may stand for ä, ö and ü. */
export const typedUmlaut = /(?<!q)([aou])e(?=[a-z])/g;

/** As `fold` gives a word whose ä, ö and ü were typed as ae, oe and ue: `schlauche` for `schlaeuche`. */
export const withUmlauts = (word: string) => word.replaceAll(typedUmlaut, "$1");

const endings = ["", "e", "en", "er", "n", "s", "ing", "ed"];

/**
 * Words that differ only in a common ending of German nouns or English verbs, in the form of `fold`:
 * they mean the same less surely than `otherForms`.
 */
export function looseForms(word: string): string[] {
  if (!/^[a-z]{4,}$/.test(word)) return [];
  const ending = endings.find(
    (end) => end !== "" && word.endsWith(end) && word.length > end.length + 2,
  );
  const root = ending === undefined ? word : word.slice(0, -ending.length);
  const forms = new Set(endings.map((end) => root + end));
  // `hinged` and `hinge`, `cutting` and `cut`.
  if (/([bdgmnprt])\1$/.test(root)) forms.add(root.slice(0, -1));
  forms.delete(word);
  const typed = word.length > 5 ? withUmlauts(word) : word;
  return [...forms, ...(typed === word ? [] : looseForms(typed))];
}

/** What texts have for inches, folded. */
const inchSigns = ['"', "\u2032\u2032", "\u201D", "''"];

/**
 * Other forms of a word in texts, folded: singular or plural, spellings, units, numbers, & for and, ö for oe, a
 * katakana word without its last ー. `folded`: one word.
 */
export function otherForms(folded: string): string[] {
  const forms = new Set([
    ...pluralForms(folded),
    ...spellingsOf(folded),
    ...unitSpellings(folded),
    ...numberSpellings(folded),
    ...otherNumeral(folded),
    ...(units.get(folded) === "in" ? inchSigns : []),
    ...(/^[au]nd$/.test(folded) ? ["&"] : []),
    ...(/^[a-z]{3,}and[a-z]*$/.test(folded) ? andSigns(folded) : []),
  ]);
  if (isLatin(folded)) forms.add(withUmlauts(folded));
  if (/^[ぁ-んー]{3,}ー$/.test(folded)) forms.add(folded.slice(0, -1));
  forms.delete(folded);
  return [...forms];
}

/** Where a name has & for and: rom&nd for romand, johnson & johnson for johnsonandjohnson. */
const andSigns = (word: string) =>
  [...word.matchAll(/(?<=...)and/g)].flatMap(({ index }) => {
    const [before, after] = [word.slice(0, index), word.slice(index + 3)];
    return [`${before} nd${after}`, ...(after === "" ? [] : [`${before} ${after}`])];
  });

/** A number and its unit, in folded text; `"` and `'` after a number are inches and feet, `st` is pieces. */
const measure =
  /((?:\d+[- ])?\d+\/\d+|\d+(?:\.\d+)?)[ -]?(?!(?<=1)st\b)(["\u2033]|'(?!')|''|[a-z]+\b)/g;
const signs: Record<string, string> = {
  '"': "in",
  "\u2033": "in",
  "''": "in",
  "'": "ft",
  st: "stuck",
};

/** Units whose numbers are written as fractions. To the engine 1/2 is 1 and 2, and 0.5m would be found by 2m. */
const inFractions = new Set(["in", "ft", "yd", "lb", "oz", "gal", "qt"]);

/**
 * Further forms of a text's words for its document, because the engine's tolerance of one letter in
 * six does not reach them: plurals of short words and those in -es and -ies, measures (`3/4"` is also
 * `0.75 inch`), ae for ä, ss for ß and the reverse, o for ø, l for ł, and katakana words with or without their last ー.
 */
export function formsInText(text: string, limit: number): string[] {
  const folded = fold(text);
  const forms = new Set<string>();
  for (const [, number = "", sign = ""] of folded.matchAll(measure)) {
    const unit = signs[sign] ?? sign;
    if (!units.has(unit)) continue;
    const isWritten = number.includes("/") || inFractions.has(units.get(unit) ?? "");
    for (const form of isWritten ? numberSpellings(number) : []) forms.add(form);
    if (sign !== unit) forms.add(unit);
    // A single piece is no pack.
    const others = sign === "st" && number === "1" ? [] : unitSpellings(unit);
    for (const form of others) if (isLatin(form)) forms.add(form);
  }
  const words = new Set(folded.match(/[a-z]{3,}/g));
  for (const word of [...words].toSorted((a, b) => a.length - b.length)) {
    for (const form of pluralForms(word)) {
      const isNear =
        Math.min(form.length, word.length) > 5 && (form === `${word}s` || word === `${form}s`);
      if (!isNear && !words.has(form)) forms.add(form);
    }
  }
  for (const [word] of folded.matchAll(/[a-z]+&[a-z]{2,}/g)) {
    forms.add(word.replace(/&(?:nd$)?/, "and"));
  }
  for (const [word] of text.toLowerCase().matchAll(/[a-zß]*[äöü][a-zäöüß]*/g)) {
    forms.add(fold(word.replaceAll(/[äöü]/g, "$&e")));
  }
  for (const [word] of text.toLowerCase().matchAll(/\p{L}*(?:[ßøł]|ss)\p{L}*/gu)) {
    forms.add(/[ßøł]/.test(word) ? fold(word) : word.replaceAll("ss", "ß"));
  }
  for (const [word] of text.matchAll(/[ァ-ヺ][ァ-ヺー]{2,}/g)) {
    if (word.endsWith("ー") && word.length > 3) forms.add(word.slice(0, -1));
    else if (/[カサタナハマヤラガザダバパリ]$/.test(word)) forms.add(`${word}ー`);
  }
  return [...forms].slice(0, limit);
}

const inchSign = /(?<=\d) ?(?:["\u2033\u201D]|'')|(?<=\d)(?:in|inch|zoll)\b/gi;

/** A query with `in` for the inches behind its numbers: a `"` there would begin a phrase, and 55in is one word to the engine. */
export function withoutInchSigns(q: string): string {
  return q.replaceAll(inchSign, (sign, at: number) => {
    const opened = (q.slice(0, at).match(/(?<!\d ?)"/g) ?? []).length;
    return opened % 2 === 0 ? " in" : sign;
  });
}

import { otherNumber } from "../../index/numerals.ts";
import {
  isScaled,
  isUnit,
  numberSpellings,
  otherForms,
  otherMeasures,
} from "../../index/word-forms.ts";

/** A number and its unit, which a text has side by side: 2m is not in 3m 2本. */
export interface Measure {
  /** As `fold` gives it. */
  number: string;
  /** Where a folded text has the number: a regular expression. */
  alone: string;
  /** What a folded text has: a regular expression of JavaScript and Postgres. */
  pattern: string;
}

const noNumberBefore = "(?<![0-9]|[0-9][.])";
/** Further numbers with the same unit: 50×75cm, 100/200ml. */
const others = "(?: ?[×*/,~〜・+-] ?[0-9.]+)*";
const between = "[^a-z0-9ぁ-ヿ一-鿿]{0,3}";
const noLetterBehind = "(?![a-z])";

/** The measure that a number and the word behind it are; null: they are none. `isJoined`: nothing stands between them. */
export function measureOf(number: string, unit: string, isJoined: boolean): Measure | null {
  if (!/^[0-9]+(?:[./][0-9]+)*$/.test(number) || !(isJoined ? isUnit(unit) : isScaled(unit)))
    return null;
  const numbers = [number, `${number}.0`, ...numberSpellings(number), ...otherNumber(number)];
  const units = [unit, ...otherForms(unit)];
  const measures = [
    `${anyOf(numbers)}${others}${between}${anyOf(units)}`,
    ...otherMeasures(number, unit).map((other) => escaped(other).replace(" ", between)),
  ];
  const alone = `${noNumberBefore}${escaped(number)}(?![0-9])`;
  return { number, alone, pattern: `${noNumberBefore}(?:${measures.join("|")})${noLetterBehind}` };
}

/** The size of a cell, whose number stands behind 単: 単四, and no 単 with another number; null: it is none. */
export function cellSizeOf(word: string, number: string): Measure | null {
  if (word !== "単" || !/^[1-5一二三四五]$/.test(number)) return null;
  const numbers = anyOf([number, ...otherNumber(number)]);
  const pattern = `単(?:[1-5一二三四五]形? ?[/・,&と+-] ?)?${numbers}(?![0-9])`;
  return { number, alone: word, pattern };
}

const escaped = (text: string) => text.replaceAll(/[./]/g, String.raw`\$&`);
const anyOf = (texts: readonly string[]) => `(?:${texts.map(escaped).join("|")})`;

import { kanjiNumerals } from "./numerals.ts";
import { isUnit } from "./word-forms.ts";

/** What stands before the number of a volume, folded; behind it stands 巻. */
const marks = "vols?|volume|band|bd";
const isMark = new RegExp(`^(?:${marks}|no|nr)$`);
const joinedMark = new RegExp(`(?<![a-z])(${marks})\\.?(?=\\d)`, "g");

const afterText = "(?<=[ぁ-ヺー一-鿿々] ?)";
const volume = new RegExp(
  [
    "(?<![\\d.,全〜~-])(\\d{1,3})巻",
    `(?<![a-z])(?:${marks})\\.? ?(\\d{1,3})(?!\\d)`,
    `${afterText}\\((\\d{1,3})\\)`,
    `${afterText}(\\d{1,3})(?=$|[ (\\[【])`,
  ].join("|"),
  "gi",
);

/** 第3巻 and vol 3 for a title that has 3巻, Vol.3, (3), or 3 alone behind Japanese. */
export function volumeForms(title: string): string[] {
  return [...title.matchAll(volume)].map((found) => {
    const number = found.slice(1).find((part) => part !== undefined) ?? "";
    return `第${number}巻 vol ${number}`;
  });
}

/** vol 3 for vol.3 and vol3; folded. */
export function withMarksApart(folded: string): string {
  return folded.replaceAll(joinedMark, "$1 ");
}

/**
 * The number that a word of a query belongs to, where it says no more than that this is the number of a volume, or one in order:
 * vol or no before 3, 巻 or 番 behind it, 第 before it; and 上 for 上巻. All folded, as they stand in the query.
 */
export function numberMarkedBy(word: string, before: string, after: readonly string[]): string[] {
  const [next = "", unit = ""] = after;
  if (/^[巻番]$/.test(word)) return isNumber(before) ? [before] : [];
  if (/^[上中下]巻$/.test(word)) return [word.charAt(0)];
  if (word === "第") return isNumber(next) ? [next] : [];
  return isMark.test(word) && /^\d+$/.test(next) && !isUnit(unit) ? [next] : [];
}

const number = new RegExp(`^(?:\\d{1,3}|[${kanjiNumerals}]{1,4})$`);
const isNumber = (word: string) => number.test(word);

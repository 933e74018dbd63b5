import type { ProductAttributes } from "../../catalog/attributes.ts";
import type { MatchSide } from "./sides.ts";

/** What both sides say of a subject; null where a side says nothing that can be shown. */
export interface Reason {
  /** codes, words, price, an attribute, or a veto of the matcher. */
  about: string;
  left: string | null;
  right: string | null;
}

export interface Reasons {
  /** Speaks for one product. */
  speaksFor: Reason[];
  against: Reason[];
}

/** What the vetoes are about that have another name. */
const subjectOf: Readonly<Record<string, string>> = { unit: "quantity", colour: "colours" };

/** Prices further apart speak against one product, closer ones for it. */
const farPrices = 2;
const nearPrices = 1.15;

/** What speaks for and against two products being the same, from what is stored about them. */
export function toReasons(a: MatchSide, b: MatchSide, vetoes: readonly string[]): Reasons {
  const reasons: Reasons = { speaksFor: [], against: [] };
  const note = (isFor: boolean, about: string, left: string | null, right: string | null) =>
    (isFor ? reasons.speaksFor : reasons.against).push({ about, left, right });

  if (a.gtins.length > 0 && b.gtins.length > 0) {
    note(hasCommon(a.gtins, b.gtins), "codes", a.gtins.join(", "), b.gtins.join(", "));
  }
  const missing = { left: missingWords(a.title, b.title), right: missingWords(b.title, a.title) };
  if (missing.left === null && missing.right === null) note(true, "words", null, null);
  else note(false, "words", missing.left, missing.right);
  if (a.price > 0 && b.price > 0) {
    const ratio = Math.max(a.price, b.price) / Math.min(a.price, b.price);
    if (ratio <= nearPrices) note(true, "price", String(a.price), String(b.price));
    if (ratio >= farPrices) note(false, "price", String(a.price), String(b.price));
  }
  for (const about of attributeNames) {
    const [left, right] = [shown(a.attributes, about), shown(b.attributes, about)];
    if (left.length === 0 || right.length === 0) continue;
    note(hasCommon(left, right), about, left.join(", "), right.join(", "));
  }
  const told = new Set(reasons.against.map(({ about }) => about));
  for (const veto of vetoes) {
    if (!told.has(veto) && !told.has(subjectOf[veto] ?? veto)) note(false, veto, null, null);
  }
  return reasons;
}

const attributeNames = [
  "models",
  "quantity",
  "pack",
  "colours",
  "size",
  "condition",
  "edition",
] as const;

function shown(
  attributes: ProductAttributes | null,
  about: (typeof attributeNames)[number],
): readonly string[] {
  if (attributes === null) return [];
  if (about === "quantity") {
    return attributes.quantity === null
      ? []
      : [`${attributes.quantity} ${attributes.unit ?? ""}`.trim()];
  }
  const value = attributes[about];
  return value === null ? [] : [value].flat().map(String);
}

function hasCommon(left: readonly string[], right: readonly string[]): boolean {
  return left.some((value) => right.includes(value));
}

function missingWords(title: string, other: string): string | null {
  const words = splitByCommonWords(title, other).filter(({ differs }) => differs);
  return words.length === 0 ? null : words.map(({ text }) => text.trim()).join(" ");
}

/** A stretch of a title. */
export interface TitlePart {
  text: string;
  /** The other title does not contain these words. */
  differs: boolean;
}

/** Words of Latin letters and digits with their decimals; of other scripts, runs of one script. */
const word =
  /[\p{Script=Latin}\p{M}\p{Nd}]+(?:[.,]\p{Nd}+)*|[\p{Script=Han}々]+|[\p{Script=Hiragana}ー]+|[\p{Script=Katakana}ー]+|\p{L}+/gu;

/**
 * Splits a title where it begins or ceases to have words that the other lacks; the parts joined are the
 * title. Spelling by width and case makes no difference.
 */
export function splitByCommonWords(title: string, other: string): TitlePart[] {
  const known = new Set((other.match(word) ?? []).map(fold));
  const parts: TitlePart[] = [];
  const add = (text: string, differs: boolean) => {
    const last = parts.at(-1);
    if (text === "") return;
    if (last?.differs === differs) last.text += text;
    else parts.push({ text, differs });
  };
  let end = 0;
  for (const found of title.matchAll(word)) {
    add(title.slice(end, found.index), false);
    end = found.index + found[0].length;
    add(found[0], !known.has(fold(found[0])));
  }
  add(title.slice(end), false);
  return parts;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(",", ".");
}

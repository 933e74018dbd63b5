import { readIsbn10, toGtin14 } from "../../catalog/gtin.ts";
import { withLongVowels } from "./japanese-forms.ts";
import { normalise } from "./normalise.ts";
import { withoutInchSigns } from "./word-forms.ts";

export interface Words {
  /** Typed without quotes: other forms of these words match too. */
  plain: string[];
  /** Typed between quotes: matched exactly. */
  phrases: string[];
  excluded: string[];
}

const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;

/** Barcodes as they are printed: 978-4-06-519981-7, 4 901234 567894. */
const inPieces = /(?<![\w"-])\d+(?:(?:-\d+)+|(?: \d+)+)(?![\w"-])/g;
/** 52 x 84 is typed for 52×84. */
const timesApart = /(?<=\d(?:[mc]?m)?) [xX×] (?=\d)(?=(?:[^"]*"[^"]*")*[^"]*$)/g;
/** The minus of a temperature excludes nothing, nor that of a lens: -3.00. */
const minus = /(?<!\S)-(?=\d+(?:\.\d+)? ?(?:[°度]|grad|degr?[eé])|\d+\.\d\d(?!\S))/gi;

/** The form of a query that all searches use: normalised, with ー for waves in kana, `in` for inch signs, × between numbers, ISBNs and other barcodes in one piece. */
export function readableQuery(q: string): string {
  return withoutInchSigns(withLongVowels(normalise(q)))
    .replaceAll(minus, "")
    .replaceAll(timesApart, "×")
    .replaceAll(inPieces, (code) => {
      const digits = code.replaceAll(/[- ]/g, "");
      return digits.length > 11 && toGtin14(digits) !== null ? digits : code;
    });
}

export interface TypedBarcode {
  text: string;
  gtin: string;
  /** Nothing else was typed. */
  isAlone: boolean;
}

const barcode = /(?<!\d)(?:\d{12,14}|(?<=(?:ean|jan|gtin)\D{0,6})\d{8})(?!\d)/i;

/**
 * The barcode among the words of a query; beside others only one of so many digits, or named so, that it is nothing else.
 * A book's ISBN of ten digits stands for its barcode.
 */
export function typedBarcode(q: string): TypedBarcode | null {
  const { plain, phrases, excluded } = toWords(q);
  const typed = plain.join(" ");
  const [text = typed] = barcode.exec(typed) ?? [];
  if (phrases.length + excluded.length > 0) return null;
  const gtin = toGtin14(text) ?? readIsbn10(typed.replace(/^isbn(?:-?10)?[: ]*/i, ""));
  return gtin === null ? null : { text, gtin, isAlone: text === typed };
}

/**
 * Splits a query as the engine does: words and `"phrases"`, excluded if a `-` stands before them. The
 * case stays as typed.
 */
export function toWords(q: string): Words {
  const words: Words = { plain: [], phrases: [], excluded: [] };
  for (const [, dash, phrase, word] of readableQuery(q).matchAll(part)) {
    const text = (phrase ?? word ?? "").trim();
    if (text === "") continue;
    const kind = phrase === undefined ? "plain" : "phrases";
    // A dash before dots is punctuation.
    if (!dash || /[\p{L}\p{N}\p{S}]/u.test(text)) words[dash ? "excluded" : kind].push(text);
  }
  return words;
}

export function hasWords({ plain, phrases, excluded }: Words): boolean {
  return plain.length + phrases.length + excluded.length > 0;
}

/** Whether a query says what to find, and not only what to leave out. */
export function hasPositiveWords(q: string): boolean {
  const { plain, phrases } = toWords(q);
  return plain.length + phrases.length > 0;
}

import { toGtin14 } from "../../catalog/gtin.ts";
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

const hyphenated = /(?<![\w"-])\d+(?:-\d+)+(?![\w"-])/g;

/** The form of a query that all searches use: normalised, with `in` for inch signs, ISBNs and other barcodes in one piece. */
export function readableQuery(q: string): string {
  return withoutInchSigns(normalise(q)).replaceAll(hyphenated, (code) => {
    const digits = code.replaceAll("-", "");
    return digits.length > 8 && toGtin14(digits) !== null ? digits : code;
  });
}

/**
 * Splits a query as the engine does: words and `"phrases"`, excluded if a `-` stands before them. The
 * case stays as typed.
 */
export function toWords(q: string): Words {
  const words: Words = { plain: [], phrases: [], excluded: [] };
  for (const [, minus, phrase, word] of readableQuery(q).matchAll(part)) {
    const text = (phrase ?? word ?? "").trim();
    if (text === "") continue;
    const kind = phrase === undefined ? "plain" : "phrases";
    words[minus ? "excluded" : kind].push(text);
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

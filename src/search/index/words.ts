import { normalise } from "./normalise.ts";
import { withoutInchSigns } from "./word-forms.ts";

export interface Words {
  /** Typed without quotes: other forms of them count as well. */
  plain: string[];
  /** What stood between quotes, to be found as it is. */
  phrases: string[];
  excluded: string[];
}

const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;

/** A query as all that searches read it: one spelling of each character, and no sign for inches. */
export function readableQuery(q: string): string {
  return withoutInchSigns(normalise(q));
}

/** Takes a query apart as the engine does: words, `"phrases"`, and either with a `-` before it; in the case they are typed in. */
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

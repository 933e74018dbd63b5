import { normalise } from "./normalise.ts";

export interface Words {
  /** Words and phrases that have to occur. */
  wanted: string[];
  excluded: string[];
}

const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;

/** Takes a query apart as the engine does: words, `"phrases"`, and either with a `-` before it; in the case they are typed in. */
export function toWords(q: string): Words {
  const words: Words = { wanted: [], excluded: [] };
  for (const [, minus, phrase, word] of normalise(q).matchAll(part)) {
    const text = (phrase ?? word ?? "").trim();
    if (text !== "") words[minus ? "excluded" : "wanted"].push(text);
  }
  return words;
}

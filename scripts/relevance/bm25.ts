import { countEach } from "../../src/lib/collect.ts";

interface Posting {
  text: number;
  occurrences: number;
}

const k1 = 1.2;
const b = 0.75;

/** BM25 with k1 1.2, b 0.75 and the inverse document frequency of Lucene, which is never negative. */
export function createBm25(texts: readonly string[], toTokens: (text: string) => string[]) {
  const postings = new Map<string, Posting[]>();
  const lengths = texts.map((text, i) => {
    const tokens = toTokens(text);
    for (const [token, occurrences] of countEach(tokens)) {
      const list = postings.get(token);
      if (list) list.push({ text: i, occurrences });
      else postings.set(token, [{ text: i, occurrences }]);
    }
    return tokens.length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / texts.length;

  return {
    /** Positions of the best texts, best first; equal ones in the given order. */
    find(query: string, limit: number): number[] {
      const scores = new Map<number, number>();
      for (const [token, times] of countEach(toTokens(query))) {
        const list = postings.get(token) ?? [];
        const idf = Math.log(1 + (texts.length - list.length + 0.5) / (list.length + 0.5));
        for (const { text, occurrences } of list) {
          const norm = k1 * (1 - b + (b * (lengths[text] ?? 0)) / meanLength);
          const score = (times * idf * occurrences * (k1 + 1)) / (occurrences + norm);
          scores.set(text, (scores.get(text) ?? 0) + score);
        }
      }
      return [...scores]
        .sort(([i, x], [j, y]) => y - x || i - j)
        .slice(0, limit)
        .map(([text]) => text);
    },
  };
}

const word = /[\p{L}\p{N}\p{M}]+/gu;
const cjkOrNot =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
const isCjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/**
 * Compatibility forms folded, lower case; words of letters and digits, Japanese as pairs of adjacent
 * characters.
 */
export function wordTokens(text: string): string[] {
  const words = text.normalize("NFKC").toLowerCase().match(word) ?? [];
  return words.flatMap((one) => (one.match(cjkOrNot) ?? []).flatMap(pairsOfCjk));
}

function pairsOfCjk(run: string): string[] {
  if (!isCjk.test(run)) return [run];
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i] ?? ""}${character}`);
}

/** The same with light English stems: plurals, -ed and -ing. */
export function stemTokens(text: string): string[] {
  return wordTokens(text).map(lightStem);
}

export function lightStem(token: string): string {
  if (!/^[a-z]{4,}$/.test(token)) return token;
  const singular = token
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x|z)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  const stem = singular.replace(/(?:ing|ed)$/, "");
  const hasVowel = /[aeiouy]/.test(stem);
  return stem === singular || stem.length < 3 || !hasVowel
    ? singular
    : stem.replace(/([bdfgmnprt])\1$/, "$1");
}

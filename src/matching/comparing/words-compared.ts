import type { Prepared } from "../titles/prepare.ts";
import { isSpelling } from "./similarity.ts";

/**
 * Weight of a token: the rarer, the more. The weight of the empty text, which no product has, is the
 * largest of the catalogue.
 */
export type Idf = (token: string) => number;

/** ln(1 + N/df); a token that no product has weighs as one of a single product. */
export function createIdf(products: number, frequencyOf: (token: string) => number): Idf {
  return (token) => Math.log(1 + products / Math.max(1, frequencyOf(token)));
}

/** Below this `softMin`, words in common are too few without a common model: things made by hand are named alike. */
export const leastCommon = 0.4;

export interface WordsCompared {
  cosine: number;
  jaccard: number;
  /** Share of one's weight that the other has: of the two, the smaller and the larger share. */
  containMin: number;
  containMax: number;
  /** As `containMin`, without the brand. */
  containNoBrand: number;
  /** The same, where words also match by their spelling or inside compounds. */
  softMin: number;
  softMax: number;
  /** As `softMin`, but of different spellings only those of one ending: no Fisch is Fleisch. */
  wordingMin: number;
  /** Relative to the largest weight. */
  rarestShared: number;
  rarestUnmatchedMin: number;
  rarestUnmatchedMax: number;
  /** Logarithm of one more than the words that the other has not. */
  unmatchedMin: number;
  unmatchedMax: number;
  /** The rarest code that both have, relative to the largest weight. */
  sharedCode: number;
  /** The rarest code that the other has not: of the two sides the smaller. */
  codeConflict: number;
  /** Share of the common words, by weight, that name what only one of the products is for: `LP-E10 Akku für EOS 70D`. */
  sharedFor: number;
  sharedCodeAndWords: number;
  codeConflictAndWords: number;
}

interface Side {
  weight: number;
  weightNoBrand: number;
  squares: number;
  unmatched: string[];
  unmatchedWeights: number[];
}

const maxSoft = 24;

export function compareWords(left: Prepared, right: Prepared, idf: Idf): WordsCompared {
  let shared = 0;
  let sharedNoBrand = 0;
  let sharedSquares = 0;
  let rarestShared = 0;
  let sharedFor = 0;
  const measureSide = (own: Prepared, other: Prepared, isFirst: boolean): Side => {
    const side: Side = {
      weight: 0,
      weightNoBrand: 0,
      squares: 0,
      unmatched: [],
      unmatchedWeights: [],
    };
    for (const token of own.tokens) {
      const weight = idf(token);
      const isBrand = isPartOf(token, left.brand) || isPartOf(token, right.brand);
      side.weight += weight;
      side.squares += weight * weight;
      if (!isBrand) side.weightNoBrand += weight;
      if (!other.tokenSet.has(token)) {
        side.unmatched.push(token);
        side.unmatchedWeights.push(weight);
      } else if (isFirst) {
        shared += weight;
        sharedSquares += weight * weight;
        if (!isBrand) sharedNoBrand += weight;
        rarestShared = Math.max(rarestShared, weight);
        if (left.partOf.forWords.has(token) !== right.partOf.forWords.has(token))
          sharedFor += weight;
      }
    }
    return side;
  };
  const a = measureSide(left, right, true);
  const b = measureSide(right, left, false);
  const top = Math.max(idf(""), 1e-9);
  const softA = soften(a, b, right.squeezed);
  const softB = soften(b, a, left.squeezed);
  const containedA = ratio(shared, a.weight);
  const containedB = ratio(shared, b.weight);
  const softShareA = ratio(shared + softA.gained, a.weight);
  const softShareB = ratio(shared + softB.gained, b.weight);
  const softMin = Math.min(1, softShareA, softShareB);
  const { sharedCode, codeConflict } = compareCodes(left, right, (token) => idf(token) / top);
  return {
    cosine: Math.min(1, ratio(sharedSquares, Math.sqrt(a.squares * b.squares))),
    jaccard: ratio(shared, a.weight + b.weight - shared),
    containMin: Math.min(containedA, containedB),
    containMax: Math.max(containedA, containedB),
    containNoBrand: Math.min(
      ratio(sharedNoBrand, a.weightNoBrand),
      ratio(sharedNoBrand, b.weightNoBrand),
    ),
    softMin,
    softMax: Math.min(1, Math.max(softShareA, softShareB)),
    wordingMin: Math.min(
      1,
      ratio(shared + softA.gainedSame, a.weight),
      ratio(shared + softB.gainedSame, b.weight),
    ),
    rarestShared: rarestShared / top,
    rarestUnmatchedMin: Math.min(softA.rarest, softB.rarest) / top,
    rarestUnmatchedMax: Math.max(softA.rarest, softB.rarest) / top,
    unmatchedMin: Math.log1p(Math.min(softA.count, softB.count)),
    unmatchedMax: Math.log1p(Math.max(softA.count, softB.count)),
    sharedCode,
    codeConflict,
    sharedFor: ratio(sharedFor, shared),
    sharedCodeAndWords: sharedCode * softMin,
    codeConflictAndWords: codeConflict * softMin,
  };
}

function compareCodes(left: Prepared, right: Prepared, weightOf: Idf) {
  let sharedCode = 0;
  const rarestAlone = (own: Prepared, other: Prepared) => {
    let rarest = 0;
    for (const code of own.codes) {
      if (other.codes.includes(code) || (code.length >= 4 && other.squeezedAll.includes(code)))
        sharedCode = Math.max(sharedCode, weightOf(code));
      else rarest = Math.max(rarest, weightOf(code));
    }
    return rarest;
  };
  const codeConflict = Math.min(rarestAlone(left, right), rarestAlone(right, left));
  return { sharedCode, codeConflict };
}

/** Words that match after all; digits must match to the letter. */
function soften(own: Side, other: Side, squeezed: string) {
  let gained = 0;
  let gainedSame = 0;
  let rarest = 0;
  let count = 0;
  for (let i = 0; i < own.unmatched.length; i += 1) {
    const token = own.unmatched[i] ?? "";
    const weight = own.unmatchedWeights[i] ?? 0;
    if (i < maxSoft && isSoftMatch(token, other.unmatched, squeezed)) {
      gained += weight;
      const isSame =
        squeezed.includes(token) || other.unmatched.some((one) => isInflected(token, one));
      if (isSame) gainedSame += weight;
    } else {
      count += 1;
      rarest = Math.max(rarest, weight);
    }
  }
  return { gained, gainedSame, rarest, count };
}

const letters = /^\p{L}+$/u;

/** Two letters of a Japanese word, as they are tokens: デリケート・ジャスミン is the same without its point. */
const bigram = /^[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー々]{2}$/u;

function isSoftMatch(token: string, others: readonly string[], squeezed: string): boolean {
  if (bigram.test(token)) return squeezed.includes(token);
  if (token.length < 4 || !/\p{L}/u.test(token)) return false;
  if (squeezed.includes(token)) return true;
  if (!letters.test(token)) return false;
  return others.some(
    (other, i) =>
      i < maxSoft && other[0] === token[0] && letters.test(other) && isSpelling(token, other),
  );
}

/** `Erdbeer` and `Erdbeere`. */
function isInflected(a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= 2 && (a.startsWith(b) || b.startsWith(a));
}

function isPartOf(token: string, brand: string): boolean {
  return brand.length >= token.length && token.length > 1 && brand.includes(token);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

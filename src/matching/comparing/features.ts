import { isInside } from "./code-inside.ts";
import { compareFacts, type FactsCompared } from "./facts-compared.ts";
import type { Prepared } from "../titles/prepare.ts";
import { inOneScript } from "./one-script.ts";
import { likeness, setCosine } from "./similarity.ts";
import { vetoesOf, type Veto } from "./vetoes.ts";
import { compareWords, type Idf, type WordsCompared, leastCommon } from "./words-compared.ts";
import { isNaming } from "../titles/models.ts";
import { isOwnModel } from "../titles/parts.ts";

const wordFeatures = [
  "cosine",
  "jaccard",
  "containMin",
  "containMax",
  "containNoBrand",
  "softMin",
  "softMax",
  "rarestShared",
  "rarestUnmatchedMin",
  "rarestUnmatchedMax",
  "unmatchedMin",
  "unmatchedMax",
  "sharedCode",
  "codeConflict",
  "sharedFor",
  "sharedCodeAndWords",
  "codeConflictAndWords",
] as const satisfies readonly (keyof WordsCompared)[];

const factFeatures = [
  "modelsEqual",
  "modelInside",
  "modelConflict",
  "modelPrefix",
  "modelNearMiss",
  "codeSiblings",
  "numberJaccard",
  "bareUnmatched",
  "numbersUnmatched",
  "unitEqual",
  "unitConflict",
  "packConflict",
  "seriesConflict",
  "yearConflict",
  "colourEqual",
  "colourConflict",
  "colourOneSided",
  "variantOneSided",
  "accessoryOneSided",
  "sizeConflict",
  "editionConflict",
  "isOtherVariant",
] as const satisfies readonly (keyof FactsCompared)[];

const textFeatures = [
  "gramCosine",
  "sortedLikeness",
  "priceRatio",
  "priceKnown",
  "brand",
  "firstWord",
  "lengthRatio",
] as const;

/** Features of a pair in this order; those of the context follow in `score`. All are symmetric. */
export const featureNames = [...wordFeatures, ...factFeatures, ...textFeatures] as const;

export const contextNames = ["contextMin", "contextMax"] as const;

export interface Comparison {
  /** In the order of `featureNames`. */
  features: Float64Array;
  /** How alike the words of both titles are, 0 to 1. */
  cosine: number;
  /** Both are of one model number, or of one rare code that is too short for it. */
  sharesModel: boolean;
  /** Share of the words, by weight, that the other has too; of both, the smaller. */
  softMin: number;
  /** The same with words of one spelling only: see `isSameWording`. */
  wordingMin: number;
  vetoes: readonly Veto[];
}

/** Compares two products by what they say of themselves; symmetric. */
export function compare(one: Prepared, other: Prepared, idf: Idf): Comparison {
  const [left, right] = inOneScript(one, other);
  const words = compareWords(left, right, idf);
  const facts: FactsCompared = compareFacts(left, right);
  const priceRatio =
    left.price === null || right.price === null
      ? null
      : Math.min(3, Math.abs(Math.log(left.price / right.price)));
  const texts: Record<(typeof textFeatures)[number], number> = {
    gramCosine: setCosine(left.grams, right.grams),
    sortedLikeness: likeness(left.sorted, right.sorted),
    priceRatio: priceRatio ?? 0.25,
    priceKnown: Number(priceRatio !== null),
    brand: compareBrands(left, right),
    firstWord: Number(left.tokens[0] === right.tokens[0]),
    lengthRatio:
      Math.min(left.squeezed.length, right.squeezed.length) /
      Math.max(left.squeezed.length, right.squeezed.length, 1),
  };
  const features = new Float64Array(featureNames.length);
  let next = 0;
  for (const name of wordFeatures) features[next++] = words[name];
  for (const name of factFeatures) features[next++] = Number(facts[name]);
  for (const name of textFeatures) features[next++] = texts[name];
  return {
    features,
    cosine: words.cosine,
    sharesModel: facts.modelInside > 0 || areNamedByCode(left, right, { words, facts, idf }),
    softMin: words.softMin,
    wordingMin: words.wordingMin,
    vetoes: vetoesOf(facts, priceRatio),
  };
}

/** 1: the same; .5: one's brand is in the other's title; -.5: it is not; -1: different; 0: not known. */
function compareBrands(left: Prepared, right: Prepared): number {
  if (left.brand === "" && right.brand === "") return 0;
  if (left.brand === "" || right.brand === "") {
    return (left.brand === "" ? left : right).squeezed.includes(left.brand || right.brand)
      ? 0.5
      : -0.5;
  }
  return left.brand.startsWith(right.brand) || right.brand.startsWith(left.brand) ? 1 : -1;
}

/** How rare a code has to be to name a product, as a share of the largest weight of a word. */
const rare = 0.6;
/** Shorter ones are no part of a word: the `x99` of `dscx99`. */
const leastInside = 4;

/**
 * Whether both titles have a rare code that is too short for a model number, and neither has another code:
 * `DSC-HX99` and `HX99`. Symmetric.
 */
function areNamedByCode(
  left: Prepared,
  right: Prepared,
  { words, facts, idf }: { words: WordsCompared; facts: FactsCompared; idf: Idf },
): boolean {
  if (words.softMin < leastCommon || words.codeConflict > 0 || facts.modelConflict > 0)
    return false;
  const isName = (code: string) =>
    isNaming(code) &&
    isOwnModel(code, left.partOf, right.partOf) &&
    idf(code) > rare * idf("") &&
    !isContinued(code, left, right) &&
    !isContinued(code, right, left);
  const isIn = (code: string, title: Prepared) =>
    title.codes.includes(code) || (code.length >= leastInside && isInside(code, title, "word"));
  return (
    left.codes.some((code) => isIn(code, right) && isName(code)) ||
    right.codes.some((code) => isIn(code, left) && isName(code))
  );
}

/** Whether one title goes on with a word of its own behind the code: `Fusion5 ProGlide Klingen` and `Fusion5 Klingen`. */
function isContinued(code: string, long: Prepared, short: Prepared): boolean {
  const [at, otherAt] = [long.words.indexOf(code), short.words.indexOf(code)];
  const [more = "", next] = at === -1 ? [] : long.words.slice(at + 1);
  const isBetween = otherAt !== -1 && next !== undefined && next === short.words[otherAt + 1];
  return isBetween && /\p{L}/u.test(more) && !short.squeezed.includes(more);
}

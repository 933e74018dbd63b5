import { isNaming } from "../titles/models.ts";
import { isOwnModel } from "../titles/parts.ts";
import type { Prepared } from "../titles/prepare.ts";
import { isInside, type FactsCompared } from "./facts-compared.ts";
import { LEAST_COMMON, type Idf, type WordsCompared } from "./words-compared.ts";

/** How rare a code has to be to name a product, as a share of the largest weight of a word. */
const RARE = 0.6;
/** Shorter ones are no part of a word: the `x99` of `dscx99`. */
const LEAST_INSIDE = 4;

interface Compared {
  words: Pick<WordsCompared, "softMin" | "codeConflict">;
  facts: Pick<FactsCompared, "modelConflict">;
  idf: Idf;
}

/**
 * Whether both titles have a rare code that is too short for a model number, and neither has another code:
 * `DSC-HX99` and `HX99`. Symmetric.
 */
export function areNamedByCode(
  left: Prepared,
  right: Prepared,
  { words, facts, idf }: Compared,
): boolean {
  if (words.softMin < LEAST_COMMON || words.codeConflict > 0 || facts.modelConflict > 0)
    return false;
  const isName = (code: string) =>
    isNaming(code) && isOwnModel(code, left.partOf, right.partOf) && idf(code) > RARE * idf("");
  const isIn = (code: string, title: Prepared) =>
    title.codes.includes(code) || (code.length >= LEAST_INSIDE && isInside(code, title));
  return (
    left.codes.some((code) => isIn(code, right) && isName(code)) ||
    right.codes.some((code) => isIn(code, left) && isName(code))
  );
}

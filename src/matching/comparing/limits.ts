import { featureNames, type Comparison } from "./features.ts";
import type { Prepared } from "../titles/prepare.ts";
import type { Veto } from "./vetoes.ts";
import { leastCommon } from "./words-compared.ts";

/** equal: may link two products to one; similar: is only shown beside it. */
export type Tier = "equal" | "similar" | "none";

export interface Thresholds {
  equal: number;
  similar: number;
}

export const shippedThresholds: Thresholds = { equal: 0.8, similar: 0.95 };

/** `isMutualBest`: neither has a better partner in the shop of the other. */
export function tierOf(
  { sharesModel, softMin, vetoes }: Pick<Comparison, "sharesModel" | "softMin" | "vetoes">,
  score: number,
  isMutualBest: boolean,
  thresholds: Thresholds = shippedThresholds,
): Tier {
  if (vetoes.length > 0) return "none";
  if (sharesModel) return isMutualBest && score >= thresholds.equal ? "equal" : "none";
  return softMin >= leastCommon && score >= thresholds.similar ? "similar" : "none";
}

/** What a category asks of a link. */
export interface Limits {
  /** The least probability, 0 to 1. */
  threshold: number;
  /** false: nothing is linked by likeness here. */
  isLinked: boolean;
}

export const shippedLimits: Limits = { threshold: shippedThresholds.equal, isLinked: true };

export interface Evidence {
  score: number;
  sameWording: boolean;
  sharesModel: boolean;
  softMin: number;
  vetoes: readonly Veto[];
  isMutualBest: boolean;
}

/**
 * Whether two titles say the same: nearly all words of each are in the other, three at least, and both name the same
 * content, number of pieces or volume. Goods made by hand have like names too, but hardly one of these.
 */
export function isSameWording(
  { wordingMin, features }: Pick<Comparison, "wordingMin" | "features">,
  left: Titled,
  right: Titled,
): boolean {
  const isSamePack = left.pack > 1 && left.pack === right.pack;
  const hasSameMeasure = features[featureNames.indexOf("unitEqual")] === 1;
  const hasSameContent = isSamePack || (hasSameMeasure && [left, right].every(tellsContent));
  const isSameVolume = left.series.some((volume) => right.series.includes(volume));
  const fewestWords = Math.min(left.tokens.length, right.tokens.length);
  const isSame = (hasSameContent || isSameVolume) && wordingMin >= sameWords;
  return isSame && fewestWords >= minWords && saysNoMore(left, right);
}

/** Frequent words weigh little, and yet each of these may tell another product: `7+`, `LSF 50+`, men, zero, M. */
function saysNoMore(left: Titled, right: Titled): boolean {
  const sets = ({ numbers, variants, pluses, marks }: Titled) => [
    numbers,
    variants,
    pluses,
    ...marks,
  ];
  const others = sets(right);
  return (
    left.kinds.join() === right.kinds.join() &&
    sets(left).every((set, i) => {
      const other = others[i];
      return set.size === other?.size && [...set].every((word) => other.has(word));
    })
  );
}

/** Shares are none: any two scarves may be 100% linen. */
function tellsContent({ measures }: Titled): boolean {
  return measures.some(({ dimension }) => dimension !== "%");
}

type Titled = Pick<
  Prepared,
  "measures" | "tokens" | "pack" | "series" | "numbers" | "variants" | "pluses" | "marks" | "kinds"
>;

const sameWords = 0.9;
const minWords = 3;
/** Among titles that say the same, a link needs so much less. */
export const lessForSameWording = 0.3;

/** Showing a product beside another asks for no less than the shipped threshold. */
export function rateTier(evidence: Evidence, { threshold, isLinked }: Limits): Tier {
  const { score, sameWording, vetoes, isMutualBest } = evidence;
  const asksFor = threshold - lessForSameWording;
  const linksByWording = sameWording && isMutualBest && vetoes.length === 0 && score >= asksFor;
  if (linksByWording && isLinked) return "equal";
  const tier = tierOf(evidence, evidence.score, evidence.isMutualBest, {
    equal: threshold,
    similar: Math.max(threshold, shippedThresholds.similar),
  });
  return tier === "equal" && !isLinked ? "similar" : tier;
}

/** How near to its threshold a pair is doubtful. */
const margin = 0.15;

/** Worth a look of people: nearly or barely a link, or one but for a veto. */
export function isDoubtful(
  { score, sharesModel, sameWording, vetoes, isMutualBest }: Evidence,
  { threshold }: Limits,
): boolean {
  if (!isMutualBest) return false;
  if (vetoes.length > 0) return vetoes.length === 1 && score >= threshold;
  if (sameWording) return Math.abs(score - (threshold - lessForSameWording)) < margin;
  return sharesModel ? Math.abs(score - threshold) < margin : score >= threshold;
}

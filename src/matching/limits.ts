import { shippedThresholds, tierOf, type Tier } from "./tiers.ts";
import type { Veto } from "./vetoes.ts";

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
  sharesModel: boolean;
  softMin: number;
  vetoes: readonly Veto[];
  isMutualBest: boolean;
}

/** Showing a product beside another asks for no less than the shipped threshold. */
export function rateTier(evidence: Evidence, { threshold, isLinked }: Limits): Tier {
  const tier = tierOf(evidence, evidence.score, evidence.isMutualBest, {
    equal: threshold,
    similar: Math.max(threshold, shippedThresholds.similar),
  });
  return tier === "equal" && !isLinked ? "similar" : tier;
}

/** How near to its threshold a pair is doubtful. */
const MARGIN = 0.15;

/** Worth a look of people: nearly or barely a link, or one but for a veto. */
export function isDoubtful(
  { score, sharesModel, vetoes, isMutualBest }: Evidence,
  limits: Limits,
): boolean {
  if (!isMutualBest) return false;
  const { threshold } = limits;
  if (vetoes.length > 0) return vetoes.length === 1 && score >= threshold;
  return sharesModel ? Math.abs(score - threshold) < MARGIN : score >= threshold;
}

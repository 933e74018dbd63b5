import type { Comparison } from "./features.ts";

/** equal: may link two products to one; similar: is only shown beside it. */
export type Tier = "equal" | "similar" | "none";

export interface Thresholds {
  equal: number;
  similar: number;
}

export const shippedThresholds: Thresholds = { equal: 0.8, similar: 0.95 };

/** Below it, words in common are too few without a common model: things made by hand are named alike. */
const leastCommon = 0.4;

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

import type { Comparison } from "./features.ts";
import { LEAST_COMMON } from "./words-compared.ts";

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
  return softMin >= LEAST_COMMON && score >= thresholds.similar ? "similar" : "none";
}

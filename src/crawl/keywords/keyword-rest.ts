import { priorShape, overallMean } from "../scoring/rate-estimate.ts";
import { isProposed, type Keyword } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { unchangedDays } from "../scoring/freshness-value.ts";

/** A new product is valued by what finding it keeps fresh within this time, in days. */
const newcomerDays = 30;

/** The value of finding one unknown product, in weight-days. */
export function newProductValue(state: Pick<PlannerState, "totals" | "meanWeight">): number {
  const span = priorShape / overallMean(state.totals().sum);
  return state.meanWeight() * unchangedDays(priorShape, span, newcomerDays);
}

/** Below this share of the threshold a proposal's call counts as failed. */
const poorBelow = 0.5;
/** Longest backoff, in days; the first lasts one day, and each further one twice as long. */
const longestRestDays = 90;

/**
 * The state of a proposal after a call of this value. A failed proposal backs off, but is not dropped,
 * because products change. Keywords of ops never back off.
 */
export function afterCall(
  keyword: Keyword,
  value: number,
  { threshold, at }: { threshold: number; at: Date },
): Partial<Keyword> {
  if (!isProposed(keyword)) return {};
  const isGood = value > 0 && value >= poorBelow * threshold;
  return isGood ? { failedTrials: 0, nextAt: null } : rest(keyword.failedTrials + 1, at);
}

export function rest(failedTrials: number, at: Date): Partial<Keyword> {
  const days = Math.min(longestRestDays, 2 ** (failedTrials - 1));
  return { failedTrials, nextAt: new Date(at.getTime() + days * 86_400_000) };
}

/** A proposal that was never tried, or that backed off and is tried again. */
export function isOnTrial(keyword: Keyword): boolean {
  return (
    isProposed(keyword) &&
    keyword.scannedAt === null &&
    (keyword.trial === null || keyword.nextAt !== null)
  );
}

export type KeywordState = "trial" | "active" | "backing_off" | "paused";

export function keywordState(keyword: Keyword, now: Date): KeywordState {
  if (!keyword.enabled) return "paused";
  if (keyword.nextAt !== null && keyword.nextAt > now) return "backing_off";
  return isOnTrial(keyword) ? "trial" : "active";
}

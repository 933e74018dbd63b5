import type { Forecast, ForecastRules, Target } from "./scoring/forecast.ts";
import type { ObservedLimit } from "./budget/observed-limit.ts";

/** A setting of ops that cannot be met, with the figures for its text. */
export type Warning =
  | { code: "ended_early"; day: string; allowed: number; callsPerDay: number }
  | { code: "windows_too_short"; reachable: number; callsPerDay: number }
  | { code: "max_age_exceeded"; maxAgeDays: number; boundDays: number }
  | { code: "target_unreachable"; target: Target }
  | { code: "target_missed"; target: Target; missing: number };

/** The settings of ops that so many calls a day cannot meet. */
export function toWarnings({
  forecast,
  rules,
  reachable,
  target,
  targetCallsPerDay,
  observedLimit,
}: {
  forecast: Forecast | null;
  rules: ForecastRules;
  /** Calls a day that the windows of the jobs leave time for. */
  reachable: number;
  target: Target | null;
  targetCallsPerDay: number | null;
  observedLimit: ObservedLimit | null;
}): Warning[] {
  const { callsPerDay, maxAgeDays } = rules;
  const warnings: Warning[] = [];
  if (observedLimit) warnings.push({ code: "ended_early", ...observedLimit, callsPerDay });
  if (reachable < callsPerDay)
    warnings.push({ code: "windows_too_short", reachable: Math.round(reachable), callsPerDay });
  if (!forecast) return warnings;
  const { boundDays } = forecast;
  if (boundDays > maxAgeDays) warnings.push({ code: "max_age_exceeded", maxAgeDays, boundDays });
  if (target && targetCallsPerDay === null) {
    warnings.push({ code: "target_unreachable", target });
  } else if (target && targetCallsPerDay !== null && targetCallsPerDay > callsPerDay) {
    const missing = Math.ceil(targetCallsPerDay - callsPerDay);
    warnings.push({ code: "target_missed", target, missing });
  }
  return warnings;
}

/** The warning in the words of the API and the command line. */
export function toWarningText(warning: Warning): string {
  switch (warning.code) {
    case "ended_early":
      return `the upstream ended ${warning.day} after ${warning.allowed} calls: the plan expects ${warning.callsPerDay} calls a day until a day allows more`;
    case "windows_too_short":
      return `the windows of the jobs leave time for ${warning.reachable} of ${warning.callsPerDay} calls a day: raise window_minutes`;
    case "max_age_exceeded":
      return `the maximum age of ${warning.maxAgeDays} days cannot be kept: every product is checked within ${warning.boundDays.toFixed(1)} days`;
    case "target_unreachable":
      return `no number of calls meets ${toTargetText(warning.target)}`;
    case "target_missed":
      return `${toTargetText(warning.target)} needs ${warning.missing} more calls a day`;
  }
}

function toTargetText({ minWeight, hours }: Target): string {
  return `the target (weight >= ${minWeight} within ${hours} h at p95)`;
}

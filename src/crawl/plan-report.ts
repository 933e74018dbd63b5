import { countLiving } from "../catalog/counts.ts";
import { countShops } from "../catalog/shops.ts";
import type { Db } from "../db/open.ts";
import { createPlanner } from "./planner.ts";
import { toDays } from "./scoring/days.ts";
import { accountsOf, type DayRules } from "./budget/accounts.ts";
import {
  callsForTarget,
  forecast,
  type Forecast,
  type ForecastRules,
  type Target,
} from "./scoring/forecast.ts";
import { listJobs, readJobSettings, type JobRecord } from "./budget/jobs.ts";
import { type ObservedLimit, readBudget } from "./budget/budget-today.ts";
import { lossRateOf, unchangedSince, type ItemStats } from "./scoring/scoring.ts";
import type { Reason } from "./scoring/reason.ts";
import { createPlannerState } from "./learning/planner-state.ts";
import { readFill, readSample } from "./learning/statistics.ts";
import { readTraits } from "./learning/trait-factors.ts";
import { toParams } from "./safety/planned-call.ts";
import { dayStart, nextDayStart } from "../lib/calendar.ts";
import { openMs, windowsBetween } from "./budget/open-time.ts";

/** Sampled products of a forecast: the standard error of a share is then below 1 point. */
const sampleSize = 4000;

export interface PlannedStep {
  job: string;
  operation: "search" | "refresh";
  params: Record<string, unknown>;
  /** Expected gain of freshness in weight-days; null for a call that is due whatever it gains. */
  value: number | null;
  why: Reason;
}

/** The next calls as the planner ranks them now, best first. Only reads: it spends no call. */
export async function readPlan(
  db: Db,
  now: Date,
  { most, ...rules }: DayRules & { most: number },
): Promise<PlannedStep[]> {
  const calls = await createPlanner(db, createPlannerState(db, rules)).preview(now, most);
  const firsts = calls.flatMap(({ why }) =>
    why.code === "worthwhile" && why.first ? [why.first.itemId] : [],
  );
  const traits = await readTraits(db, firsts);
  const explain = (why: Reason): Reason =>
    why.code === "worthwhile" && why.first
      ? { ...why, first: { ...why.first, traits: traits.get(why.first.itemId) ?? [] } }
      : why;
  return calls.map((call) => ({
    job: call.job,
    operation: call.operation,
    params: toParams(call),
    value: Number.isFinite(call.value) ? call.value : null,
    why: explain(call.why),
  }));
}

export interface PlanReport {
  /** Of what is stored, the importance-weighted share that is expected to equal the upstream's now. */
  freshNow: number | null;
  /** For the steady state under `rules`. */
  forecast: Forecast | null;
  /** Calls a day that meet the target; null without a target, or if no number is enough. */
  targetCallsPerDay: number | null;
  rules: ForecastRules;
  warnings: Warning[];
}

export interface PlanRequest {
  /** Calls a day for revalidation. */
  callsPerDay: number;
  /** IANA zone of the upstream's days. */
  timezone: string;
  maxAgeDays: number;
  /** See `callsInWindows`. */
  callsInWindows: readonly number[];
  shopWeights?: Readonly<Record<string, number>>;
  target: Target | null;
  /** The upstream's own limit as observed, if `callsPerDay` follows it. */
  observedLimit: ObservedLimit | null;
}

/** The settings of ops, and the calls to plan with. */
export async function readPresentRules(db: Db, rules: DayRules, now: Date): Promise<PlanRequest> {
  const settings = await readJobSettings(db, "revalidate");
  const { expected, observedLimit } = await readBudget(db, now, rules);
  const { max_age_days: maxAgeDays, target_hours: hours, target_weight: minWeight } = settings;
  return {
    callsPerDay: expected,
    timezone: rules.timezone,
    maxAgeDays,
    callsInWindows: callsInWindows(await listJobs(db), rules, now),
    target: hours > 0 ? { minWeight, hours } : null,
    observedLimit,
  };
}

/** Freshness now and in the future, from learned rates of a sample of the catalogue. */
export async function readPlanReport(db: Db, now: Date, request: PlanRequest): Promise<PlanReport> {
  const { callsPerDay, timezone, maxAgeDays, shopWeights, target } = request;
  const sample = await draw(db, now, { dailyLimit: callsPerDay, timezone }, sampleSize);
  const rules: ForecastRules = {
    callsPerDay,
    maxAgeDays,
    ...(await readSizes(db)),
    ...(shopWeights ? { shopWeights } : {}),
  };
  const isEmpty = sample.length === 0;
  /** Calls a day that the windows of the jobs leave time for. */
  const reachable = meanCalls(callsPerDay, request.callsInWindows);
  const expected = isEmpty
    ? null
    : forecast(sample, { ...rules, callsPerDay: Math.max(1, reachable) });
  const targetCallsPerDay = target && !isEmpty ? callsForTarget(sample, rules, target) : null;
  return {
    freshNow: isEmpty ? null : freshShare(sample, toDays(now)),
    forecast: expected,
    targetCallsPerDay,
    rules,
    warnings: toWarnings(request, { expected, reachable, targetCallsPerDay }),
  };
}

/** Enough for the shape of a curve: each point needs a search for its threshold. */
const curveSample = 800;

/** The long-run freshness of other numbers of calls a day, one point for each. */
export async function readBudgetCurve(
  db: Db,
  now: Date,
  {
    maxAgeDays,
    timezone,
    callsInWindows: inWindows,
  }: Pick<PlanRequest, "maxAgeDays" | "timezone" | "callsInWindows">,
  budgets: readonly number[],
): Promise<{ callsPerDay: number; freshness: number }[]> {
  const rulesOfDay = { dailyLimit: Math.max(1, ...budgets), timezone };
  const sample = await draw(db, now, rulesOfDay, curveSample);
  if (sample.length === 0) return [];
  const rules = { maxAgeDays, ...(await readSizes(db)) };
  return budgets.map((callsPerDay) => ({
    callsPerDay,
    freshness: forecast(sample, {
      ...rules,
      callsPerDay: Math.max(1, meanCalls(callsPerDay, inWindows)),
    }).freshness,
  }));
}

/** Of what is stored, the importance-weighted share that is expected to equal the upstream's now. */
export async function readFreshShare(db: Db, now: Date, rules: DayRules): Promise<number | null> {
  const sample = await draw(db, now, rules, sampleSize);
  return sample.length === 0 ? null : freshShare(sample, toDays(now));
}

async function draw(db: Db, now: Date, rules: DayRules, most: number): Promise<ItemStats[]> {
  const state = createPlannerState(db, rules);
  await state.refresh(now.getTime());
  return readSample(db, most, state.context());
}

async function readSizes(db: Db): Promise<Pick<ForecastRules, "products" | "shops" | "fill">> {
  return {
    products: await countLiving(db),
    shops: await countShops(db),
    fill: await readFill(db),
  };
}

function freshShare(sample: readonly ItemStats[], at: number): number {
  let fresh = 0;
  let total = 0;
  for (const item of sample) {
    const days = Math.max(0, at - item.checkedAt);
    fresh += item.weight * unchangedSince(item, at) * Math.exp(-lossRateOf(item) * days);
    total += item.weight;
  }
  return total > 0 ? fresh / total : 1;
}

/** A setting of ops that cannot be met, with the figures for its text. */
export type Warning =
  | { code: "ended_early"; day: string; allowed: number; callsPerDay: number }
  | { code: "windows_too_short"; reachable: number; callsPerDay: number }
  | { code: "max_age_exceeded"; maxAgeDays: number; boundDays: number }
  | { code: "target_unreachable"; target: Target }
  | { code: "target_missed"; target: Target; missing: number };

/** The settings of ops that so many calls a day cannot meet. */
function toWarnings(
  { callsPerDay, maxAgeDays, target, observedLimit }: PlanRequest,
  {
    expected,
    reachable,
    targetCallsPerDay,
  }: { expected: Forecast | null; reachable: number; targetCallsPerDay: number | null },
): Warning[] {
  const warnings: Warning[] = [];
  if (observedLimit) warnings.push({ code: "ended_early", ...observedLimit, callsPerDay });
  if (reachable < callsPerDay)
    warnings.push({ code: "windows_too_short", reachable: Math.round(reachable), callsPerDay });
  if (!expected) return warnings;
  const { boundDays } = expected;
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

const daysAhead = 7;

/** How many calls the windows of each of the next seven days leave time for, at the highest rate. */
export function callsInWindows(jobs: readonly JobRecord[], rules: DayRules, now: Date): number[] {
  let from = dayStart(now, rules.timezone);
  const perSecond = accountsOf(rules).reduce(
    (sum, account) => sum + (account.maxCallsPerSecond ?? rules.maxCallsPerSecond ?? Infinity),
    0,
  );
  return Array.from({ length: daysAhead }, () => {
    const until = nextDayStart(from, rules.timezone);
    const open = windowsBetween(jobs, rules.firesOf, from, until);
    const ms = openMs(open, from.getTime(), until.getTime());
    from = until;
    return ms > 0 ? (ms / 1000) * perSecond : 0;
  });
}

/** The calls of a day that can be made, as the mean of these days. */
export function meanCalls(callsPerDay: number, inWindows: readonly number[]): number {
  const sum = inWindows.reduce((total, most) => total + Math.min(callsPerDay, most), 0);
  return sum / inWindows.length;
}

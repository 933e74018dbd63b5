import type { Db } from "../../db/open.ts";
import type { BudgetToday } from "./budget-today.ts";
import { listJobs, toJobSettings, type JobRecord } from "./jobs.ts";
import { openMs, readOpenTime, windowsBetween, type FiresOf } from "./open-time.ts";

/**
 * Divides the calls that today is still expected to have between the jobs and refresh on demand: those of
 * each account by its own day, then summed. `endsAt`: when the ordinary ones end if each account spends its own evenly in
 * the time in which jobs may spend calls, put together.
 */
export async function readSplit(
  db: Db,
  budget: Pick<BudgetToday, "accounts">,
  now: Date,
  firesOf: FiresOf | undefined,
): Promise<Split & { endsAt: Date }> {
  const jobs = await listJobs(db);
  const until = new Date(Math.max(...budget.accounts.map(({ resetsAt }) => resetsAt.getTime())));
  const open = await readOpenTime(db, jobs, { firesOf, now, until });
  const share = onDemandShareOf(jobs);
  const sum = { ordinary: 0, onDemand: 0 };
  let perMs = 0;
  let endMs = Infinity;
  for (const account of budget.accounts) {
    const { expected, used, remaining, byPurpose, startsAt, resetsAt } = account;
    const startMs = startsAt.getTime();
    const endsMs = resetsAt.getTime();
    const leftMs = openMs(open, now.getTime(), endsMs);
    const wholeMs = openMs(windowsBetween(jobs, firesOf, startsAt, resetsAt), startMs, endsMs);
    const split = splitBudget({
      limit: expected,
      used,
      remaining: Math.min(remaining, Math.max(0, expected - used)),
      usedOnDemand: byPurpose.on_demand,
      share,
      dayFraction: (now.getTime() - startMs) / (endsMs - startMs),
      openFraction: wholeMs > 0 ? 1 - leftMs / wholeMs : 1,
    });
    sum.ordinary += split.ordinary;
    sum.onDemand += split.onDemand;
    perMs += split.ordinary / Math.max(1, leftMs);
    endMs = Math.min(endMs, endsMs);
  }
  const endsAt = perMs > 0 ? now.getTime() + sum.ordinary / perMs : endMs;
  return { ...sum, endsAt: new Date(endsAt) };
}

/** The part of the quota that one client may spend, and at least so many calls. */
const clientShare = 0.2;
const clientCalls = 2;

/** Calls of the day's on-demand quota that one client may spend. */
export async function readClientCalls(db: Db, budget: BudgetToday): Promise<number> {
  const quota = budget.expected * onDemandShareOf(await listJobs(db));
  return Math.max(clientCalls, Math.floor(quota * clientShare));
}

/** As set by ops in the settings of `revalidate`. */
function onDemandShareOf(jobs: readonly JobRecord[]): number {
  const job = jobs.find(({ name }) => name === "revalidate");
  return toJobSettings("revalidate", job?.settings).on_demand_share;
}

/** Part of a day's calls is kept for refresh on demand until the day ends. */
export interface ReserveState {
  /** Calls of the whole day. */
  limit: number;
  usedOnDemand: number;
  /** The kept part of the limit, 0 to 1. */
  share: number;
  /** How much of the upstream's day has passed, 0 to 1. */
  dayFraction: number;
}

/**
 * Calls that ordinary jobs must leave untouched now. The unspent quota is released to them linearly, so
 * that nothing is left at the day's end; a quota spent early is not filled again.
 */
export function reservedNow(state: ReserveState): number {
  const quota = state.limit * state.share;
  const notReleased = quota * (1 - clamped(state.dayFraction));
  return Math.max(0, Math.floor(Math.min(quota - state.usedOnDemand, notReleased)));
}

export interface SplitState extends ReserveState {
  /** Calls of the day for all purposes. */
  used: number;
  /** Calls that can still be made; 0 once the upstream refused. */
  remaining: number;
  /** How much of the day's time in which jobs may spend calls has passed, 0 to 1. */
  openFraction: number;
}

export interface Split {
  /** Calls left for ordinary jobs, and for refresh on demand; both may use the free ones. */
  ordinary: number;
  onDemand: number;
}

/**
 * Divides the rest of the day's calls. Refresh on demand may use its quota and the free calls, by which
 * the day is behind an even pace and which the jobs' windows to come do not need; one call at least,
 * whose part of a small limit is less, but never a day's only call.
 */
export function splitBudget(state: SplitState): Split {
  const { limit, share, usedOnDemand, remaining } = state;
  const reserved = Math.min(remaining, reservedNow(state));
  const free = Math.max(
    0,
    Math.floor(limit * clamped(Math.min(state.dayFraction, state.openFraction))) - state.used,
  );
  const first = share > 0 && usedOnDemand === 0 && limit > 1 ? 1 : 0;
  return {
    ordinary: remaining - reserved,
    onDemand: Math.min(remaining, Math.max(first, reserved + free)),
  };
}

function clamped(fraction: number): number {
  return Math.min(1, Math.max(0, fraction));
}

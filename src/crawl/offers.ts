import type { LossBounds } from "../catalog/observing/loss-guard.ts";
import type { Db } from "../db/open.ts";
import { crawlJobs, type CrawlJob, type JobRunRecord } from "./budget/jobs.ts";
import { createFullScans, unscannedOf, type Idle } from "./keywords/full-scan.ts";
import { createKeywordCaller } from "./keywords/keyword-call.ts";
import { createNewestChanges } from "./keywords/newest-changes.ts";
import { createNewestIds } from "./keywords/newest-ids.ts";
import { createTrials } from "./keywords/proposal-trials.ts";
import { createTopSellers } from "./keywords/top-sellers.ts";
import type { Keyword } from "./learning/keywords.ts";
import type { PlannerState } from "./learning/planner-state.ts";
import type { OpenRun, OpenRuns } from "./open-runs.ts";
import { createOnDemand } from "./products/on-demand.ts";
import { createProductPass } from "./products/product-pass.ts";
import { createReturns } from "./products/returns.ts";
import { createRevalidation } from "./products/revalidation.ts";
import type { Offers, PlannedCall, SearchCall } from "./safety/planned-call.ts";

export type Callers = ReturnType<typeof createCallers>;

/** All kinds of calls. */
export function createCallers(db: Db, state: PlannerState, lossBounds?: LossBounds) {
  const caller = createKeywordCaller(state);
  const fullScans = createFullScans(caller, state);
  const revalidation = createRevalidation(db, state, lossBounds);
  return {
    state,
    caller,
    fullScans,
    trials: createTrials(db, fullScans, state),
    newestIds: createNewestIds(caller, state),
    newestChanges: createNewestChanges(caller, state),
    topSellers: createTopSellers(db, caller, state),
    revalidation,
    pass: createProductPass(db, revalidation.toCall),
    onDemand: createOnDemand(db, revalidation.toCall),
    returns: createReturns(db, revalidation.toCall),
  };
}

/** What was checked further in the future was checked before a clock that was ahead was set right. */
const clocksDifferMs = 60_000;

/** The next call of a run started by hand: it does everything once, whatever the value. */
export async function offerByHand(
  { fullScans, newestChanges, newestIds, pass, state }: Callers,
  idle: Idle,
  { job, run }: { job: CrawlJob; run: JobRunRecord },
  now: Date,
): Promise<PlannedCall | "wait" | null> {
  if (job === "revalidate") return pass(run, now);
  const first = job === "discover" ? fullScans.first(idle) : null;
  if (first) return first;
  const isFeed = job === "feed";
  const soonMs = now.getTime() + clocksDifferMs;
  const list = isFeed ? newestChanges : newestIds;
  const free = new Set(idle);
  const left = state.queries().filter((q) => {
    if (q.scannedAt === null) return false;
    const checkedAt = (isFeed ? q.feedCheckedAt : q.newestCheckedAt) ?? q.scannedAt;
    const isChecked = checkedAt >= run.startedAt && checkedAt.getTime() <= soonMs;
    return !isChecked || (isFeed && newestChanges.isUnderWay(q, run.startedAt));
  });
  const keyword = left.find((q) => free.has(q) && list.isFree(q));
  if (keyword) return list.next(keyword, { now, value: Infinity, thorough: true });
  const unscanned = job === "discover" ? unscannedOf(state.queries()) : [];
  // A scheduled call of theirs is under way.
  if ([...left, ...unscanned].some((q) => !free.has(q))) return "wait";
  const order = isFeed ? "modified" : "id-descending";
  const isRetried =
    unscanned.some((q) => state.backoffs.isRetriedSoon({ queryId: q.id, order: "id-ascending" })) ||
    left.some((q) => state.backoffs.isRetriedSoon({ queryId: q.id, order }));
  return isRetried ? "wait" : null;
}

/** The keyword whose page is worth most. */
function bestOfList(
  keywords: Idle,
  list: Pick<Callers["newestIds"], "value" | "next">,
  weight: number,
  now: Date,
): SearchCall[] {
  let best: { keyword: Keyword; value: number } | null = null;
  for (const keyword of keywords) {
    const value = list.value(keyword, now, weight);
    if (value > (best?.value ?? -Infinity)) best = { keyword, value };
  }
  return best ? [list.next(best.keyword, { now, value: best.value, thorough: false })] : [];
}

/** The best calls of each open run, by the weight of its job. `most`: refreshes of shops; absent: enough to choose from. */
export async function offer(
  {
    state,
    fullScans,
    newestChanges,
    newestIds,
    revalidation,
    returns,
    topSellers,
    trials,
  }: Callers,
  idle: Idle,
  runs: OpenRuns,
  { now, most }: { now: Date; most?: number },
): Promise<Offers<PlannedCall>> {
  const [discover, feed, revalidate] = crawlJobs.map((name) => {
    const run = runs.get(name);
    return run && run.weight > 0 ? run : undefined;
  });
  const weighed = (calls: PlannedCall[], run: OpenRun) =>
    calls.map((call) => ({ ...call, value: call.value * run.weight }));
  const calls: PlannedCall[] = [];
  const postponements: (() => Promise<void>)[] = [];
  if (discover) {
    const fullScan =
      fullScans.first(idle) ?? fullScans.repeat(idle, discover.fullScanIntervalMs, now);
    const scanned = idle.filter((q) => q.scannedAt !== null && newestIds.isFree(q));
    calls.push(...(fullScan ? [fullScan] : []));
    calls.push(...bestOfList(scanned, newestIds, discover.weight, now));
    calls.push(...weighed(await trials.offers(idle, now), discover));
    const pages = await topSellers(now);
    calls.push(...weighed(pages.calls, discover));
    postponements.push(pages.postpone);
  }
  if (feed) {
    const scanned = idle.filter((q) => q.scannedAt !== null && newestChanges.isFree(q));
    calls.push(...bestOfList(scanned, newestChanges, feed.weight, now));
  }
  if (revalidate) {
    const batches = await revalidation.offers(now, most);
    const returned = await state.readPart("possible returns", () => returns(now));
    calls.push(...weighed(returned ? [returned, ...batches.calls] : batches.calls, revalidate));
    postponements.push(batches.postpone);
  }
  return {
    calls,
    async postpone() {
      for (const postpone of postponements) await postpone();
    },
  };
}

/**
 * Chooses the call of most value. Calls that are due whatever their value come first, and jobs take turns at them;
 * products beyond the maximum age get at most every second call.
 */
export function createTurns(): (calls: readonly PlannedCall[]) => PlannedCall | null {
  /** The job of the last call that was due whatever its value: the next such call is another job's. */
  let lastDue: CrawlJob | null = null;
  let lastWasOverdue = false;

  return (calls) => {
    const isOverdue = (call: PlannedCall) => call.value === Infinity && call.job === "revalidate";
    const overdue = calls.find(isOverdue);
    lastWasOverdue = overdue !== undefined && !lastWasOverdue;
    if (overdue && lastWasOverdue) return overdue;
    const others = calls.filter((call) => !isOverdue(call));
    const due = others.filter((call) => call.value === Infinity);
    const turn = due.find((call) => call.job !== lastDue) ?? due[0];
    if (turn) lastDue = turn.job;
    return turn ?? others.toSorted((a, b) => b.value - a.value)[0] ?? overdue ?? null;
  };
}

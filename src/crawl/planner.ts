import type { LossBounds } from "../catalog/observing/loss-guard.ts";
import type { Db } from "../db/open.ts";
import type { Offers, PlannedCall, RunCall, SearchCall } from "./safety/planned-call.ts";
import { crawlJobs, finishRun, type CrawlJob } from "./budget/jobs.ts";
import { createNewestChanges } from "./keywords/newest-changes.ts";
import { createNewestIds } from "./keywords/newest-ids.ts";
import { createOnDemand } from "./products/on-demand.ts";
import {
  isPaced,
  readAllRuns,
  readOpenRuns,
  scheduledOnly,
  type OpenRun,
  type OpenRuns,
} from "./open-runs.ts";
import { createTopSellers, openFirstPages } from "./keywords/top-sellers.ts";
import { createProductPass } from "./products/product-pass.ts";
import { createQueryCaller } from "./keywords/keyword-call.ts";
import type { CrawlQuery } from "./learning/keywords.ts";
import { createRevalidation } from "./products/revalidation.ts";
import type { PlannerState } from "./learning/planner-state.ts";
import { createSample } from "./learning/sample.ts";
import { createTrials } from "./keywords/proposal-trials.ts";
import { createFullScans, unscannedOf, type Idle } from "./keywords/full-scan.ts";
import { createTurns } from "./turns.ts";
import { watchOperations } from "./safety/failing-operation.ts";

/** One in so many paced calls belongs to a long manual run: the other jobs nearly keep their pace. */
const ONE_BY_HAND_IN = 4;

export interface Chooser {
  /** The next call that a user waits for, whatever the pace; null if nobody waits. */
  nextOnDemand(now: Date): Promise<RunCall | null>;
  /**
   * The next call; null if there is none. Off pace only urgent calls are made. First scans and manual
   * runs are urgent only while they `mayHurry`, so that they do not spend the day's calls.
   */
  next(now: Date, at: { onPace: boolean; mayHurry: boolean }): Promise<RunCall | null>;
  /** The outcome of a call: an operation that fails whatever it is asked gets few more. */
  note(call: PlannedCall, isGood: boolean): void;
  /** The best calls now, best first; nothing is taken. */
  preview(now: Date, most: number): Promise<PlannedCall[]>;
}

/**
 * Chooses the next call. Urgent calls come first, as fast as the politeness ceiling allows: they
 * confirm that a shop is empty, find the product that made a call fail, scan the seeds for the first
 * time, or belong to a run started by hand. All others are compared on one scale: the call that gains
 * most freshness is made.
 */
export function createChooser(db: Db, state: PlannerState, lossBounds?: LossBounds): Chooser {
  const caller = createQueryCaller(state);
  const fullScans = createFullScans(caller, state);
  const trials = createTrials(db, fullScans, state);
  const newestIds = createNewestIds(caller, state);
  const newestChanges = createNewestChanges(caller, state);
  const renewSample = createSample(db, state);
  const topSellers = createTopSellers(db, caller, state);
  const revalidation = createRevalidation(db, state, lossBounds);
  const pass = createProductPass(db, revalidation.toCall);
  const onDemand = createOnDemand(db, revalidation.toCall);
  const bestOf = createTurns();
  const operations = watchOperations();
  const underWay = new Map<number, number>();
  const aheadSince = new Map<number, number>();
  let lastWasUrgent = false;
  let lastWasRetry = false;
  let callsSinceByHand = 0;
  let mayHurry = true;
  /**
   * The best value of other jobs, when a call was last chosen. A page of changes is worth more than the calls that it
   * leaves over: the threshold is theirs, but no higher than the worth of a page that was the best call.
   */
  let leftOver = 0;
  const isLong = (open: OpenRun) => !mayHurry || isPaced(open, state.callsPerDay);

  /** The next call of a run started by hand: it does everything once, whatever the value. */
  async function manual(
    idle: Idle,
    name: CrawlJob,
    { run }: OpenRun,
    now: Date,
  ): Promise<PlannedCall | "wait" | null> {
    if (name === "revalidate") return pass(run, now);
    const first = name === "discover" ? fullScans.first(idle) : null;
    if (first) return first;
    const isFeed = name === "feed";
    const list = isFeed ? newestChanges : newestIds;
    const left = idle.filter((q) => {
      if (q.scannedAt === null) return false;
      const checkedAt = (isFeed ? q.feedCheckedAt : q.newestCheckedAt) ?? q.scannedAt;
      return checkedAt < run.startedAt || (isFeed && newestChanges.isUnderWay(q, run.startedAt));
    });
    const query = left.find((q) => list.isFree(q));
    if (query) return list.next(query, { now, value: Infinity, thorough: true });
    const unscanned = name === "discover" ? unscannedOf(idle) : [];
    const order = isFeed ? "modified" : "id-descending";
    const isRetried =
      unscanned.some((q) => state.isRetriedSoon({ queryId: q.id, order: "id-ascending" })) ||
      left.some((q) => state.isRetriedSoon({ queryId: q.id, order }));
    return isRetried ? "wait" : null;
  }

  /** The keyword whose page is worth most. */
  function bestOfList(
    queries: Idle,
    list: Pick<typeof newestIds | typeof newestChanges, "value" | "next">,
    weight: number,
    now: Date,
  ): SearchCall[] {
    let best: { query: CrawlQuery; value: number } | null = null;
    for (const query of queries) {
      const value = list.value(query, now, weight);
      if (value > (best?.value ?? -Infinity)) best = { query, value };
    }
    return best ? [list.next(best.query, { now, value: best.value, thorough: false })] : [];
  }

  async function offers(
    idle: Idle,
    runs: OpenRuns,
    now: Date,
    most?: number,
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
      calls.push(...weighed(batches.calls, revalidate));
      postponements.push(batches.postpone);
    }
    return {
      calls,
      async postpone() {
        for (const postpone of postponements) await postpone();
      },
    };
  }

  async function urgent(idle: Idle, runs: OpenRuns, now: Date): Promise<PlannedCall | null> {
    const doubtful = runs.has("revalidate") ? await revalidation.nextDoubtful(now) : null;
    if (doubtful || !mayHurry) return doubtful;
    const seed = runs.has("discover") ? fullScans.firstOfSeeds(idle) : null;
    return seed ?? manualCall(idle, runs, now, (open) => !isLong(open));
  }

  /** The next call of the manual runs that `isMeant` selects; ends those that have done their job. */
  async function manualCall(
    idle: Idle,
    runs: OpenRuns,
    now: Date,
    isMeant: (open: OpenRun) => boolean,
  ): Promise<PlannedCall | null> {
    for (const [name, open] of runs) {
      if (open.run.trigger !== "manual" || !isMeant(open)) continue;
      // Read before planning: a call that ends in between may leave more to do than the plan could see.
      const isIdle = !underWay.get(open.run.id);
      const call = await manual(idle, name, open, now);
      if (call === "wait") continue;
      if (call) return call;
      if (isIdle) await finishRun(db, open.run.id, { outcome: "done" }, now);
    }
    return null;
  }

  async function idleQueries(now: Date): Promise<Idle> {
    await state.refresh(now.getTime());
    return state.queries().filter((query) => !caller.isBusy(query));
  }

  function give(call: PlannedCall, runId: number, isUrgent: boolean): RunCall {
    underWay.set(runId, (underWay.get(runId) ?? 0) + 1);
    call.take();
    return {
      ...call,
      runId,
      urgent: isUrgent,
      release() {
        call.release();
        underWay.set(runId, (underWay.get(runId) ?? 1) - 1);
      },
    };
  }

  /** At the day's pace: the call of most value, and one in so many calls of a long manual run. */
  async function paced(idle: Idle, runs: OpenRuns, now: Date): Promise<PlannedCall | null> {
    const isTurn = callsSinceByHand + 1 >= ONE_BY_HAND_IN;
    const call = isTurn ? null : await scheduled(idle, runs, now);
    const byHand = call ? null : await manualCall(idle, runs, now, isLong);
    callsSinceByHand = byHand ? 0 : callsSinceByHand + 1;
    return call ?? byHand ?? (isTurn ? scheduled(idle, runs, now) : null);
  }

  async function scheduled(idle: Idle, runs: OpenRuns, now: Date): Promise<PlannedCall | null> {
    const open = scheduledOnly(runs);
    const discover = open.get("discover");
    if (discover) {
      await openFirstPages(db, now);
      await trials.replenish(discover.trials, now);
    }
    await renewSample(now);
    const offered = await offers(idle, open, now);
    await offered.postpone();
    const calls = operations.able(offered.calls);
    const others = calls.filter(({ job, value }) => job !== "feed" && Number.isFinite(value));
    leftOver = Math.max(0, ...others.map(({ value }) => value));
    return bestOf(calls);
  }

  return {
    async nextOnDemand(now) {
      const call = await onDemand(now);
      if (!call) return null;
      call.take();
      return { ...call, runId: null, urgent: true };
    },
    async next(now, at) {
      ({ mayHurry } = at);
      // Between two tries of a failing subject another has its turn: that also shows what is at fault.
      state.leaveFailed = lastWasRetry;
      const call = await choose(now, at.onPace);
      state.leaveFailed = false;
      const chosen = call === null && lastWasRetry ? await choose(now, at.onPace) : call;
      if (chosen) lastWasRetry = chosen.isRetry;
      return chosen;
    },
    note: operations.note,
    async preview(now, most) {
      const runs = await readAllRuns(db, now);
      const { calls } = await offers(await idleQueries(now), runs, now, most);
      return calls.toSorted((a, b) => b.value - a.value).slice(0, most);
    },
  };

  async function choose(now: Date, onPace: boolean): Promise<RunCall | null> {
    const runs = await readOpenRuns(db, now, aheadSince);
    const idle = await idleQueries(now);
    const giveOut = (call: PlannedCall | null, isUrgent: boolean): RunCall | null => {
      const run = call && runs.get(call.job);
      return run ? give(call, run.run.id, isUrgent) : null;
    };
    // A long first scan must not delay products beyond the maximum age.
    const due = onPace && lastWasUrgent ? await paced(idle, runs, now) : null;
    lastWasUrgent = false;
    if (due?.value === Infinity && due.job === "revalidate") return giveOut(due, false);
    const first = giveOut(await urgent(idle, runs, now), true);
    lastWasUrgent = first !== null;
    if (first || !onPace) return first;
    const chosen = due ?? (await paced(idle, runs, now));
    if (chosen) {
      fullScans.noteCall();
      const isFeed = chosen.job === "feed";
      state.follow(
        isFeed ? Math.min(chosen.value, Math.max(state.threshold(), leftOver)) : chosen.value,
      );
    }
    return giveOut(chosen, false);
  }
}

import type { LossBounds } from "../catalog/loss-guard.ts";
import type { Db } from "../db/open.ts";
import type { PlannedCall, RunCall, SearchCall } from "./safety/planned-call.ts";
import { crawlJobs, finishRun, type CrawlJob } from "./budget/jobs.ts";
import { createLooks, lookOrders, type LookKind } from "./keywords/incremental-scan.ts";
import { createOnDemand } from "./products/on-demand.ts";
import {
  isPaced,
  readAllRuns,
  readOpenRuns,
  scheduledOnly,
  type OpenRun,
  type OpenRuns,
} from "./open-runs.ts";
import { createPopularPages, openFirstPages } from "./keywords/top-sellers.ts";
import { createProductPass } from "./products/product-pass.ts";
import { createQueryCaller } from "./keywords/keyword-call.ts";
import { isProposed, type CrawlQuery } from "./learning/keywords.ts";
import { createRevalidation } from "./products/revalidation.ts";
import type { PlannerState } from "./learning/planner-state.ts";
import { createSweepSchedule } from "./keywords/scan-schedule.ts";
import { createTrials } from "./keywords/proposal-trials.ts";
import { createWalks } from "./keywords/full-scan.ts";

/** Of the paced calls, one in so many is a long manual run's: the other jobs keep nearly their pace. */
const ONE_BY_HAND_IN = 4;

/** Keywords without a call under way, as they were when their rows were read. */
type Idle = readonly CrawlQuery[];

interface Offers {
  calls: PlannedCall[];
  /** Writes when what is not worth a call yet is due again; a plan that is only shown does not. */
  postpone(): Promise<void>;
}

export interface Chooser {
  /** The next call that users wait for, whatever the pace; null when nobody does. */
  nextOnDemand(now: Date): Promise<RunCall | null>;
  /**
   * The next call, or null when nothing is to be done. Off pace only urgent calls are made, and first
   * scans and runs started by hand are urgent only while they `mayHurry`: they must not spend the day.
   */
  next(now: Date, at: { onPace: boolean; mayHurry: boolean }): Promise<RunCall | null>;
  /** The best calls as they stand, best first; nothing is taken. */
  preview(now: Date, most: number): Promise<PlannedCall[]>;
}

/**
 * Chooses the next call. Urgent ones first, at the politeness ceiling: confirming that a shop is
 * empty, finding what was refused, first walks of the seeds, and runs started by hand, which do
 * their whole job once. All others are weighed on one scale, and the one that gains most freshness
 * per call is made.
 */
export function createChooser(db: Db, state: PlannerState, lossBounds?: LossBounds): Chooser {
  const caller = createQueryCaller(state);
  const walks = createWalks(caller, state);
  const trials = createTrials(db, walks, state);
  const looks = createLooks(caller, state);
  const sweeps = createSweepSchedule(db, state);
  const popular = createPopularPages(db, caller, state);
  const revalidation = createRevalidation(db, state, lossBounds);
  const pass = createProductPass(db, revalidation.toCall);
  const onDemand = createOnDemand(db, revalidation.toCall);
  const underWay = new Map<number, number>();
  /** The job of the last call that was due whatever it is worth: the next such call is another's. */
  let lastDue: CrawlJob | null = null;
  let lastWasUrgent = false;
  let lastWasRetry = false;
  let callsSinceByHand = 0;

  let mayHurry = true;
  const isLong = (open: OpenRun) => !mayHurry || isPaced(open, state.callsPerDay);

  function unwalkedOf(idle: Idle, seedsOnly: boolean): Idle {
    return idle.filter(
      (q) => q.walkedAt === null && (seedsOnly ? q.source === "seed" : !isProposed(q)),
    );
  }

  function firstWalk(idle: Idle, seedsOnly: boolean): SearchCall | null {
    const unwalked = unwalkedOf(idle, seedsOnly).filter(walks.isFree);
    const query = unwalked.find((q) => q.walkStart !== null) ?? unwalked[0];
    return query ? walks.next(query, Infinity) : null;
  }

  function rewalk(idle: Idle, { rewalkMs }: OpenRun, now: Date): SearchCall | null {
    const since = new Date(now.getTime() - rewalkMs);
    const query = idle.find(
      (q) =>
        !isProposed(q) &&
        q.walkedAt !== null &&
        (q.walkStart !== null || q.walkedAt < since) &&
        walks.isFree(q),
    );
    return query ? walks.next(query, state.price()) : null;
  }

  /** The next call of a run started by hand: everything once, whatever it gains. */
  async function manual(
    idle: Idle,
    name: CrawlJob,
    { run }: OpenRun,
    now: Date,
  ): Promise<PlannedCall | "wait" | null> {
    if (name === "revalidate") return pass.next(run, now);
    const kind: LookKind = name === "feed" ? "feed" : "newest";
    const walk = name === "discover" ? firstWalk(idle, false) : null;
    if (walk) return walk;
    const lookedAt = (q: CrawlQuery) => (kind === "feed" ? q.feedAt : q.headAt);
    const left = idle.filter(
      (q) => q.walkedAt !== null && (lookedAt(q) ?? q.walkedAt) < run.startedAt,
    );
    const query = left.find((q) => looks.isFree(q, kind));
    if (query) return looks.next(query, kind, { now, worth: Infinity, thorough: true });
    const unwalked = name === "discover" ? unwalkedOf(idle, false) : [];
    const isRetried =
      unwalked.some((q) => state.isRetriedSoon({ queryId: q.id, order: "id-ascending" })) ||
      left.some((q) => state.isRetriedSoon({ queryId: q.id, order: lookOrders[kind] }));
    return isRetried ? "wait" : null;
  }

  /** Looks under way go on before anything else is weighed: half a sweep tells little. */
  function lookOffers(idle: Idle, kind: LookKind, weight: number, now: Date): SearchCall[] {
    const walked = idle.filter((query) => query.walkedAt !== null && looks.isFree(query, kind));
    const going = walked.find((query) => looks.isUnderWay(query, kind, now));
    if (going) return [looks.next(going, kind, { now, worth: Infinity, thorough: false })];
    let best: { query: CrawlQuery; worth: number } | null = null;
    for (const query of walked) {
      const worth = looks.worth(query, kind, now, weight);
      if (worth > (best?.worth ?? -Infinity)) best = { query, worth };
    }
    return best ? [looks.next(best.query, kind, { now, worth: best.worth, thorough: false })] : [];
  }

  async function offers(idle: Idle, runs: OpenRuns, now: Date, most?: number): Promise<Offers> {
    const [discover, feed, revalidate] = crawlJobs.map((name) => {
      const run = runs.get(name);
      return run && run.weight > 0 ? run : undefined;
    });
    const weighed = (calls: PlannedCall[], run: OpenRun) =>
      calls.map((call) => ({ ...call, worth: call.worth * run.weight }));
    const calls: PlannedCall[] = [];
    const postponements: (() => Promise<void>)[] = [];
    if (discover) {
      const walk = firstWalk(idle, false) ?? rewalk(idle, discover, now);
      calls.push(...(walk ? [walk] : []), ...lookOffers(idle, "newest", discover.weight, now));
      calls.push(...weighed(await trials.offers(idle, now), discover));
      const pages = await popular.offers(now);
      calls.push(...weighed(pages.calls, discover));
      postponements.push(pages.postpone);
    }
    if (feed) calls.push(...lookOffers(idle, "feed", feed.weight, now));
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
    const seed = runs.has("discover") ? firstWalk(idle, true) : null;
    return seed ?? manualCall(idle, runs, now, (open) => !isLong(open));
  }

  /** The next call of the runs started by hand that are meant; ends those that have done their job. */
  async function manualCall(
    idle: Idle,
    runs: OpenRuns,
    now: Date,
    isMeant: (open: OpenRun) => boolean,
  ): Promise<PlannedCall | null> {
    for (const [name, open] of runs) {
      if (open.run.trigger !== "manual" || !isMeant(open)) continue;
      // Read before planning: a call that ends meanwhile may leave more to do than the plan could see.
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

  /**
   * The best call. What is due whatever it is worth comes first: products beyond the maximum age, which
   * never need more than half of a day's calls; after them, jobs take turns.
   */
  function best(calls: readonly PlannedCall[]): PlannedCall | null {
    const due = calls.filter((call) => call.worth === Infinity);
    const overdue = due.find((call) => call.job === "revalidate");
    if (overdue) return overdue;
    const turn = due.find((call) => call.job !== lastDue) ?? due[0];
    if (turn) {
      lastDue = turn.job;
      return turn;
    }
    return calls.reduce<PlannedCall | null>((a, b) => (a && a.worth >= b.worth ? a : b), null);
  }

  /** At the day's pace: what gains most, and one call in so many of a long run started by hand. */
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
    if (open.has("feed")) await sweeps.renew(now);
    const { calls, postpone } = await offers(idle, open, now);
    await postpone();
    return best(calls);
  }

  return {
    async nextOnDemand(now) {
      const call = await onDemand.next(now);
      if (!call) return null;
      call.take();
      return { ...call, runId: null, urgent: true };
    },
    async next(now, at) {
      ({ mayHurry } = at);
      // Between two tries of what fails something else has its turn, which also tells whose fault it is.
      state.leaveFailed = lastWasRetry;
      const call = await choose(now, at.onPace);
      state.leaveFailed = false;
      const chosen = call === null && lastWasRetry ? await choose(now, at.onPace) : call;
      if (chosen) lastWasRetry = chosen.isRetry;
      return chosen;
    },
    async preview(now, most) {
      const runs = await readAllRuns(db, now);
      const { calls } = await offers(await idleQueries(now), runs, now, most);
      return calls.toSorted((a, b) => b.worth - a.worth).slice(0, most);
    },
  };

  async function choose(now: Date, onPace: boolean): Promise<RunCall | null> {
    const runs = await readOpenRuns(db, now);
    const idle = await idleQueries(now);
    const giveOut = (call: PlannedCall | null, isUrgent: boolean): RunCall | null => {
      const run = call && runs.get(call.job);
      return run ? give(call, run.run.id, isUrgent) : null;
    };
    // A long first walk must not take every call from what is due by the maximum age.
    const due = onPace && lastWasUrgent ? await paced(idle, runs, now) : null;
    lastWasUrgent = false;
    if (due?.worth === Infinity && due.job === "revalidate") return giveOut(due, false);
    const first = giveOut(await urgent(idle, runs, now), true);
    lastWasUrgent = first !== null;
    if (first || !onPace) return first;
    const chosen = due ?? (await paced(idle, runs, now));
    if (chosen) state.follow(chosen.worth);
    return giveOut(chosen, false);
  }
}

import type { LossBounds } from "../catalog/observing/loss-guard.ts";
import type { Db } from "../db/open.ts";
import { showsFound, type PlannedCall, type RunCall } from "./safety/planned-call.ts";
import {
  isPaced,
  readAllRuns,
  readOpenRuns,
  scheduledOnly,
  type OpenRun,
  type OpenRuns,
} from "./open-runs.ts";
import { openFirstPages } from "./keywords/top-sellers.ts";
import type { PlannerState } from "./learning/planner-state.ts";
import { createCallers, createTurns, offer, offerByHand, type Callers } from "./offers.ts";
import { createSample } from "./learning/sample.ts";
import type { Idle } from "./keywords/full-scan.ts";
import { watchOperations } from "./safety/failing-operation.ts";
import { endFreeRun, type CrawlJob } from "./budget/jobs.ts";

/** One in so many paced calls belongs to a long manual run: the other jobs nearly keep their pace. */
const oneByHandIn = 4;

export type Planner = ReturnType<typeof createPlanner>;

/**
 * Chooses the next call. Urgent calls come first, as fast as the politeness ceiling allows: they
 * confirm that a shop is empty, find the product that made a call fail, scan the seeds for the first
 * time, or belong to a run started by hand. All others are compared on one scale: the call that gains
 * most freshness is made.
 */
export function createPlanner(db: Db, state: PlannerState, lossBounds?: LossBounds) {
  const callers = createCallers(db, state, lossBounds);
  const { caller, fullScans, onDemand, revalidation, trials } = callers;
  const renewSample = createSample(db, state);
  const bestOf = createTurns();
  const operations = watchOperations();
  const { give, manualCall } = createRunCalls(db, callers);
  let lastWasUrgent = false;
  let lastWasRetry = false;
  let callsSinceByHand = 0;
  let mayHurry = true;
  /** Too many shops in a row have shown nothing: the next call finds out whether the upstream still has nothing to show. */
  let afterSilence = false;
  /** The best value of the calls of jobs other than `feed` when a call was last compared. */
  let leftOver = 0;
  const isLong = (open: OpenRun) => !mayHurry || isPaced(open, state.callsPerDay);

  async function urgent(idle: Idle, runs: OpenRuns, now: Date): Promise<PlannedCall | null> {
    const doubtful = runs.has("revalidate")
      ? await state.readPart("empty answers", () => revalidation.nextDoubtful(now))
      : null;
    if (doubtful || !mayHurry) return doubtful ?? null;
    const seed = runs.has("discover") ? fullScans.firstOfSeeds(idle) : null;
    return seed ?? manualCall(idle, runs, now, (open) => !isLong(open));
  }

  /** Other jobs go on while somebody locks what this one reads. */
  function mayRun(job: CrawlJob): boolean {
    const { byKeyword, byProduct } = state.mayAsk();
    return job === "revalidate" ? byProduct : byKeyword;
  }

  async function idleKeywords(now: Date): Promise<Idle> {
    await state.refresh(now.getTime());
    return state.queries().filter((query) => !caller.isBusy(query));
  }

  /** At the day's pace: the call of most value, and one in so many calls of a long manual run. */
  async function paced(idle: Idle, runs: OpenRuns, now: Date): Promise<PlannedCall | null> {
    const isTurn = callsSinceByHand + 1 >= oneByHandIn;
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
      await state.readPart("proposals", () => trials.replenish(discover.trials, now));
    }
    await renewSample(now);
    const offered = await offer(callers, idle, open, { now });
    await offered.postpone();
    const able = operations.able(offered.calls);
    // That yet another shop shows nothing would not tell whether it has closed or the upstream is at fault.
    const telling = afterSilence ? able.filter(showsFound) : [];
    const calls = telling.length > 0 ? telling : able;
    const others = calls.filter(({ job, value }) => job !== "feed" && Number.isFinite(value));
    leftOver = Math.max(0, ...others.map(({ value }) => value));
    return bestOf(calls);
  }

  async function choose(now: Date, onPace: boolean): Promise<RunCall | null> {
    const idle = await idleKeywords(now);
    const runs = new Map(
      [...(await readOpenRuns(db, now, state.firesOf))].filter(([job]) => mayRun(job)),
    );
    const giveOut = (call: PlannedCall | null): RunCall | null => {
      const run = call && runs.get(call.job);
      return run ? give(call, run.run.id) : null;
    };
    if (afterSilence) return onPace ? giveOut(await paced(idle, runs, now)) : null;
    // A long first scan must not delay products beyond the maximum age.
    const due = onPace && lastWasUrgent ? await paced(idle, runs, now) : null;
    lastWasUrgent = false;
    if (due?.value === Infinity && due.job === "revalidate") return giveOut(due);
    const first = giveOut(await urgent(idle, runs, now));
    lastWasUrgent = first !== null;
    if (first || !onPace) return first;
    const chosen = due ?? (await paced(idle, runs, now));
    if (chosen) {
      fullScans.noteCall();
      // A page of changes is worth more than the calls that it leaves over, and the threshold is theirs.
      const most = chosen.job === "feed" ? Math.max(state.threshold(), leftOver) : Infinity;
      state.follow(Math.min(chosen.value, most));
    }
    return giveOut(chosen);
  }

  return {
    /** The next call that a user waits for, whatever the pace; null if nobody waits. */
    async nextOnDemand(now: Date): Promise<RunCall | null> {
      const call = await state.readPart("requests on demand", () => onDemand(now));
      if (!call) return null;
      call.take();
      return { ...call, runId: null };
    },
    /**
     * The next call; null if there is none. Off pace only urgent calls are made. First scans and manual
     * runs are urgent only while they `mayHurry`, so that they do not spend the day's calls. If
     * the upstream seems to have nothing to show (`afterSilence`), it is a search for what was found before, if there is one.
     */
    async next(
      now: Date,
      at: { onPace: boolean; mayHurry: boolean; afterSilence: boolean },
    ): Promise<RunCall | null> {
      ({ mayHurry, afterSilence } = at);
      // Between two tries of a failing subject another has its turn: that also shows what is at fault.
      state.backoffs.leaveFailed(lastWasRetry);
      const call = await choose(now, at.onPace);
      state.backoffs.leaveFailed(false);
      const chosen = call === null && lastWasRetry ? await choose(now, at.onPace) : call;
      if (chosen) lastWasRetry = chosen.isRetry;
      return chosen;
    },
    /** The outcome of a call: an operation that fails whatever it is asked gets few more. */
    note: operations.note,
    /** The best calls now, best first; nothing is taken. */
    async preview(now: Date, most: number): Promise<PlannedCall[]> {
      const runs = await readAllRuns(db, now);
      const { calls } = await offer(callers, await idleKeywords(now), runs, { now, most });
      return calls.toSorted((a, b) => b.value - a.value).slice(0, most);
    },
  };
}

/** Calls that runs of jobs make, and which of these runs have calls under way. */
function createRunCalls(db: Db, callers: Callers) {
  const underWay = new Map<number, number>();
  return {
    /** Takes the call for the run: until it is released, the run has not ended. */
    give(call: PlannedCall, runId: number): RunCall {
      underWay.set(runId, (underWay.get(runId) ?? 0) + 1);
      call.take();
      return {
        ...call,
        runId,
        release() {
          call.release();
          underWay.set(runId, (underWay.get(runId) ?? 1) - 1);
        },
      };
    },
    /** The next call of the manual runs that `isMeant` selects; ends those that have done their job. */
    async manualCall(
      idle: Idle,
      runs: OpenRuns,
      now: Date,
      isMeant: (open: OpenRun) => boolean,
    ): Promise<PlannedCall | null> {
      for (const [name, open] of runs) {
        if (open.run.trigger !== "manual" || !isMeant(open)) continue;
        // Read before planning: a call that ends in between may leave more to do than the plan could see.
        const isIdle = !underWay.get(open.run.id);
        const call = await offerByHand(callers, idle, { job: name, run: open.run }, now);
        if (call === "wait") continue;
        if (call) return call;
        if (isIdle) await endFreeRun(db, open.run.id, now);
      }
      return null;
    },
  };
}

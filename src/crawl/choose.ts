import type { Db } from "../db/open.ts";
import type { PlannedCall, RunCall, SearchCall } from "./call.ts";
import {
  crawlJobs,
  defaultTrials,
  finishRun,
  listJobs,
  readActiveRuns,
  type CrawlJob,
  type JobRunRecord,
} from "./jobs.ts";
import { createLooks, type LookKind } from "./looks.ts";
import { createOnDemand } from "./on-demand.ts";
import { createPopularPages, openFirstPages } from "./popular.ts";
import { createQueryCaller } from "./query-call.ts";
import { isProposed, type CrawlQuery } from "./queries.ts";
import { createRevalidation } from "./revalidation.ts";
import type { PlannerState } from "./state.ts";
import { createSweepSchedule } from "./sweep-schedule.ts";
import { createTrials } from "./trials.ts";
import { createWalks } from "./walk.ts";

interface OpenRun {
  run: JobRunRecord;
  /** Multiplies what the job's calls are worth; at 0 it makes urgent ones alone. */
  weight: number;
  windowMs: number;
  rewalkMs: number;
  /** Proposed keywords of each rule that may wait to be tried; 0: none are proposed. */
  trials: number;
}

type OpenRuns = ReadonlyMap<CrawlJob, OpenRun>;
/** Keywords without a call under way, as they were when their rows were read. */
type Idle = readonly CrawlQuery[];

export interface Chooser {
  /** The next call that users wait for, whatever the pace; null when nobody does. */
  nextOnDemand(now: Date): Promise<RunCall | null>;
  /** The next call, or null when nothing is to be done (off pace: nothing urgent). */
  next(now: Date, onPace: boolean): Promise<RunCall | null>;
  /** The best calls as they stand, best first; nothing is taken. */
  preview(now: Date, most: number): Promise<PlannedCall[]>;
}

/**
 * Chooses the next call. Urgent ones first, at the politeness ceiling: confirming that a shop is
 * empty, finding what was refused, first walks of the seeds, and runs started by hand, which do
 * their whole job once. All others are weighed on one scale, and the one that gains most freshness
 * per call is made.
 */
export function createChooser(db: Db, state: PlannerState): Chooser {
  const caller = createQueryCaller(state);
  const walks = createWalks(caller, state);
  const trials = createTrials(db, walks, state);
  const looks = createLooks(caller, state);
  const sweeps = createSweepSchedule(db, state);
  const popular = createPopularPages(db, caller, state);
  const revalidation = createRevalidation(db, state);
  const onDemand = createOnDemand(db, revalidation.toCall);
  const underWay = new Map<number, number>();

  async function openRuns(): Promise<OpenRuns> {
    const active = await readActiveRuns(db);
    return active.length === 0 ? new Map() : withSettings(active);
  }

  async function withSettings(runs: readonly JobRunRecord[]): Promise<OpenRuns> {
    const records = new Map((await listJobs(db)).map((record) => [record.name, record.settings]));
    return new Map(
      crawlJobs.flatMap((name): [CrawlJob, OpenRun][] => {
        const run = runs.find((one) => one.job === name);
        if (!run) return [];
        const settings = records.get(name) ?? {};
        const open = {
          run,
          weight: toNumber(settings.weight, 1),
          windowMs: toNumber(settings.window_minutes, 1) * 60_000,
          rewalkMs: toNumber(settings.rewalk_hours, 720) * 3_600_000,
          trials: toNumber(settings.trials, defaultTrials),
        };
        return [[name, open]];
      }),
    );
  }

  /** As if every enabled job's window were open. */
  async function allRuns(now: Date): Promise<OpenRuns> {
    const enabled = (await listJobs(db)).filter((record) => record.enabled);
    return withSettings(
      enabled.map(({ name }) => ({
        id: 0,
        job: name,
        trigger: "cron",
        startedAt: now,
        finishedAt: null,
        outcome: null,
        error: null,
        calls: 0,
      })),
    );
  }

  function firstWalk(idle: Idle, seedsOnly: boolean): SearchCall | null {
    const unwalked = idle.filter(
      (q) => q.walkedAt === null && (seedsOnly ? q.source === "seed" : !isProposed(q)),
    );
    const query = unwalked.find((q) => q.walkStart !== null) ?? unwalked[0];
    return query ? walks.next(query, Infinity) : null;
  }

  function rewalk(idle: Idle, { rewalkMs }: OpenRun, now: Date): SearchCall | null {
    const since = new Date(now.getTime() - rewalkMs);
    const query = idle.find(
      (q) => !isProposed(q) && q.walkedAt !== null && (q.walkStart !== null || q.walkedAt < since),
    );
    return query ? walks.next(query, state.price()) : null;
  }

  /** The next call of a run started by hand: everything once, whatever it gains. */
  async function manual(
    idle: Idle,
    name: CrawlJob,
    { run }: OpenRun,
    now: Date,
  ): Promise<PlannedCall | null> {
    if (name === "revalidate") return revalidation.nextOfPass(run.id);
    const kind: LookKind = name === "feed" ? "feed" : "newest";
    const walk = name === "discover" ? firstWalk(idle, false) : null;
    if (walk) return walk;
    const lookedAt = (q: CrawlQuery) => (kind === "feed" ? q.feedAt : q.headAt);
    const query = idle.find(
      (q) => q.walkedAt !== null && (lookedAt(q) ?? q.walkedAt) < run.startedAt,
    );
    return query ? looks.next(query, kind, { now, worth: Infinity, thorough: true }) : null;
  }

  /** Looks under way go on before anything else is weighed: half a sweep tells little. */
  function lookOffers(idle: Idle, kind: LookKind, weight: number, now: Date): SearchCall[] {
    const walked = idle.filter((query) => query.walkedAt !== null);
    const going = walked.find((query) => looks.isUnderWay(query, kind));
    if (going) return [looks.next(going, kind, { now, worth: Infinity, thorough: false })];
    let best: { query: CrawlQuery; worth: number } | null = null;
    for (const query of walked) {
      const worth = looks.worth(query, kind, now, weight);
      if (worth > (best?.worth ?? -Infinity)) best = { query, worth };
    }
    return best ? [looks.next(best.query, kind, { now, worth: best.worth, thorough: false })] : [];
  }

  async function offers(
    idle: Idle,
    runs: OpenRuns,
    now: Date,
    most?: number,
  ): Promise<PlannedCall[]> {
    const [discover, feed, revalidate] = crawlJobs.map((name) => {
      const run = runs.get(name);
      return run && run.weight > 0 ? run : undefined;
    });
    const weighed = (calls: PlannedCall[], run: OpenRun) =>
      calls.map((call) => ({ ...call, worth: call.worth * run.weight }));
    const found: PlannedCall[] = [];
    if (discover) {
      const walk = firstWalk(idle, false) ?? rewalk(idle, discover, now);
      found.push(...(walk ? [walk] : []), ...lookOffers(idle, "newest", discover.weight, now));
      found.push(...weighed(await trials.offers(idle, now), discover));
      found.push(...weighed(await popular.offers(now), discover));
    }
    if (feed) found.push(...lookOffers(idle, "feed", feed.weight, now));
    if (revalidate) found.push(...weighed(await revalidation.offers(now, most), revalidate));
    return found;
  }

  async function urgent(idle: Idle, runs: OpenRuns, now: Date): Promise<PlannedCall | null> {
    const doubtful = runs.has("revalidate") ? await revalidation.nextDoubtful(now) : null;
    if (doubtful) return doubtful;
    const seed = runs.has("discover") ? firstWalk(idle, true) : null;
    if (seed) return seed;
    for (const [name, open] of runs) {
      if (open.run.trigger !== "manual") continue;
      // Read before planning: a call that ends meanwhile may leave more to do than the plan could see.
      const isIdle = !underWay.get(open.run.id);
      const call = await manual(idle, name, open, now);
      if (call) return call;
      if (!isIdle) continue;
      revalidation.endPass(open.run.id);
      await finishRun(db, open.run.id, { outcome: "done" }, now);
    }
    return null;
  }

  /** Runs opened by the schedule last as long as their window; the others that are open. */
  async function closeOverdue(runs: OpenRuns, now: Date): Promise<OpenRuns> {
    const isOver = ({ run, windowMs }: OpenRun) =>
      run.trigger !== "manual" && now.getTime() - run.startedAt.getTime() >= windowMs;
    for (const open of runs.values()) {
      if (isOver(open)) await finishRun(db, open.run.id, { outcome: "done" }, now);
    }
    return new Map([...runs].filter(([, open]) => !isOver(open)));
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

  const best = (calls: readonly PlannedCall[]) =>
    calls.reduce<PlannedCall | null>((a, b) => (a && a.worth >= b.worth ? a : b), null);

  return {
    async nextOnDemand(now) {
      const call = await onDemand.next(now);
      if (!call) return null;
      call.take();
      return { ...call, runId: null, urgent: true };
    },
    async next(now, onPace) {
      const runs = await closeOverdue(await openRuns(), now);
      const idle = await idleQueries(now);
      const call = await urgent(idle, runs, now);
      const run = call && runs.get(call.job);
      if (run) return give(call, run.run.id, true);
      const scheduled = byPlan(runs);
      if (!onPace || scheduled.size === 0) return null;
      const discover = scheduled.get("discover");
      if (discover) {
        await openFirstPages(db, now);
        await trials.replenish(discover.trials, now);
      }
      if (scheduled.has("feed")) await sweeps.renew(now);
      const chosen = best(await offers(idle, scheduled, now));
      const itsRun = chosen && scheduled.get(chosen.job);
      if (!itsRun) return null;
      state.follow(chosen.worth);
      return give(chosen, itsRun.run.id, false);
    },
    async preview(now, most) {
      const runs = await allRuns(now);
      const all = await offers(await idleQueries(now), runs, now, most);
      return all.toSorted((a, b) => b.worth - a.worth).slice(0, most);
    },
  };
}

/** A run started by hand does its whole job once and takes no part in the weighing. */
function byPlan(runs: OpenRuns): OpenRuns {
  return new Map([...runs].filter(([, { run }]) => run.trigger !== "manual"));
}

function toNumber(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

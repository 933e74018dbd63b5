import type { Db } from "../db/open.ts";
import {
  beginFreeRun,
  crawlJobs,
  endFreeRun,
  listJobs,
  readActiveRuns,
  toJobSettings,
  windowMsOf,
  type CrawlJob,
  type JobRecord,
  type JobRunRecord,
} from "./budget/jobs.ts";
import { isOpenAt, type FiresOf } from "./budget/open-time.ts";

/** A run of a job that may spend calls now, with the settings of its job. */
export interface OpenRun {
  run: JobRunRecord;
  /** Ops can disable a job while its window is open, and a process that starts opens one. */
  isEnabled: boolean;
  /** Multiplies the value of the job's calls; at 0 only its urgent calls are made. */
  weight: number;
  windowMs: number;
  fullScanIntervalMs: number;
  /** Proposed keywords of each rule that may wait for their trial; 0: none are proposed. */
  trials: number;
}

export type OpenRuns = ReadonlyMap<CrawlJob, OpenRun>;

/** A run begun further in the future was begun while a clock was ahead, and would not end before. */
const mostAheadMs = 60_000;

/**
 * The runs that are open now. A scheduled run is closed here when its window ends or its job is disabled; by `firesOf`
 * another window may have begun that the schedule could not write down. One that was begun in the future begins now.
 */
export async function readOpenRuns(db: Db, now: Date, firesOf?: FiresOf): Promise<OpenRuns> {
  const nowMs = now.getTime();
  const active: JobRunRecord[] = [];
  for (const run of await readActiveRuns(db)) {
    const isAhead = run.startedAt.getTime() - nowMs > mostAheadMs;
    if (!isAhead) active.push(run);
    else if (await beginFreeRun(db, run.id, now)) active.push({ ...run, startedAt: now });
  }
  if (active.length === 0) return new Map();
  const jobs = await listJobs(db);
  const runs = toOpenRuns(jobs, active);
  const isInWindow = (name: CrawlJob) => {
    const own = jobs.filter((job) => job.name === name);
    return firesOf !== undefined && isOpenAt(own, firesOf, nowMs);
  };
  const isOver = ({ run, isEnabled, windowMs }: OpenRun, name: CrawlJob) =>
    run.trigger !== "manual" &&
    (!isEnabled || (nowMs - run.startedAt.getTime() >= windowMs && !isInWindow(name)));
  const open = new Map(runs);
  for (const [name, one] of runs) {
    if (!isOver(one, name)) continue;
    open.delete(name);
    await endFreeRun(db, one.run.id, now);
  }
  return open;
}

/** As if every enabled job's window were open. */
export async function readAllRuns(db: Db, now: Date): Promise<OpenRuns> {
  const jobs = await listJobs(db);
  const opened = { startedAt: now, finishedAt: null, outcome: null, error: null, position: null };
  const runs = jobs
    .filter(({ enabled }) => enabled)
    .map(({ name }) => ({ id: 0, job: name, trigger: "cron" as const, calls: 0, ...opened }));
  return toOpenRuns(jobs, runs);
}

function toOpenRuns(jobs: readonly JobRecord[], runs: readonly JobRunRecord[]): OpenRuns {
  return new Map(
    crawlJobs.flatMap((name): [CrawlJob, OpenRun][] => {
      const run = runs.find((one) => one.job === name);
      if (!run) return [];
      const { enabled: isEnabled = true, settings = {} } =
        jobs.find((one) => one.name === name) ?? {};
      const { weight } = toJobSettings(name, settings);
      const { rewalk_hours: rewalkHours, trials } = toJobSettings("discover", settings);
      const windowMs = windowMsOf({ settings });
      const fullScanIntervalMs = rewalkHours * 3_600_000;
      return [[name, { run, isEnabled, weight, windowMs, fullScanIntervalMs, trials }]];
    }),
  );
}

/** Without the runs started by hand, which do their whole job once whatever its value. */
export function scheduledOnly(runs: OpenRuns): OpenRuns {
  return new Map([...runs].filter(([, { run }]) => run.trigger !== "manual"));
}

/** How many calls of a pass over all products go out at once, as a share of the day's calls. */
const burstShare = 0.002;

/** Runs started by hand go out at once, except a long pass, which alone would spend the day's calls. */
export function isPaced({ run }: OpenRun, callsPerDay: number): boolean {
  return run.job === "revalidate" && run.calls >= burstShare * callsPerDay;
}

import { createTask, parse, setLogger, validateDetailed, type ScheduledTask } from "node-cron";
import {
  finishRun,
  isCrawlJob,
  isJobName,
  listJobs,
  readActiveRuns,
  readLastRuns,
  startRun,
  windowMsOf,
  type JobName,
  type JobRecord,
} from "../../crawl/budget/jobs.ts";
import type { FiresOf } from "../../crawl/budget/open-time.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import type { CronFault } from "../../crawl/budget/cron-fault.ts";
import type { Logger } from "../../lib/logger.ts";

/**
 * Finds the fault of a cron expression; null if it is valid. Allows five fields, and not both day
 * fields, because cron dialects disagree about them. Refuses an expression that never fires.
 */
export function cronFault(expression: string): CronFault | null {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    return { code: "fields", expression: expression.slice(0, 100), found: fields.length };
  }
  const verdict = validateDetailed(expression);
  if (!verdict.valid) {
    const faults = verdict.errors.map(({ field, value = expression }) => ({ field, value }));
    return { code: "values", faults };
  }
  if (fields[2] !== "*" && fields[4] !== "*") return { code: "both_days" };
  return nextCronRuns(expression, 1, "UTC").length === 0 ? { code: "never" } : null;
}

export function nextCronRuns(expression: string, count: number, timezone: string): Date[] {
  return createTask(expression, () => {}, { timezone }).getNextRuns(count);
}

const MINUTE_MS = 60_000;
/** Zones differ by quarters of an hour, so that each has one local hour and day. */
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Days of expressions: a few jobs on a few days, and those that ops have tried. */
const MOST_KEPT = 100;

/** Returns what finds the moments at which expressions fire in the zone; those of a day are found once. */
export function createFires(timezone: string): FiresOf {
  const kept = new Map<string, readonly number[]>();
  const local = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
  });

  function find(expression: string, dayMs: number): number[] {
    const { minute, hour } = parse(expression);
    const task = createTask(expression, () => {}, { timezone });
    const fires: number[] = [];
    for (let atMs = dayMs; atMs < dayMs + DAY_MS; atMs += QUARTER_MS) {
      const [localHour, localMinute = 0] = local.format(atMs).split(":").map(Number);
      const inQuarter = minute
        .map((m) => m - localMinute)
        .filter((after) => after >= 0 && after < 15)
        .map((after) => atMs + after * MINUTE_MS);
      if (inQuarter[0] === undefined || !hour.some((h) => h === localHour)) continue;
      if (task.match(new Date(inQuarter[0]))) fires.push(...inQuarter);
    }
    return fires;
  }

  return (expression, dayMs) => {
    const key = `${dayMs} ${expression}`;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const found = find(expression, dayMs).toSorted((a, b) => a - b);
    kept.set(key, found);
    return found;
  };
}

/** Jobs of which none is left out because no worker ran at their time, or the database was away. */
const caughtUp = new Set<string>(["housekeeping", "public-exports"] satisfies JobName[]);
/** Older times are not looked for. */
const CAUGHT_UP_MS = 8 * DAY_MS;

export interface Schedule {
  /** Reads the job table again; call it every few seconds. */
  sync(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Fires the cron expressions of the job table in the upstream's time zone. Firing only opens a run in
 * Postgres, which one of all processes takes up. If a run is still active, nothing is opened. A daily job whose time has
 * passed without a run fires at once, and a crawl job without a run is opened for the rest of its window: when a worker
 * starts, the database was away, the schedule was changed, or a run by hand has ended.
 */
export function createSchedule(options: {
  db: Db;
  clock: Clock;
  logger: Logger;
  timezone: string;
}): Schedule {
  const { db, clock, logger, timezone } = options;
  const firesOf = createFires(timezone);
  const tasks = new Map<JobName, { cron: string; task: ScheduledTask }>();
  setLogger({
    info: (message) => logger.debug(message),
    warn: (message) => logger.warn(message),
    debug: (message) => logger.trace(message),
    error: (message) => logger.error(message),
  });

  async function fire(name: JobName): Promise<void> {
    try {
      await startRun(db, name, "cron", clock.now());
    } catch (error) {
      logger.warn(
        { err: error, job: name },
        "a cron fire could not be recorded; the next one will",
      );
    }
  }

  let setToMs = NaN;
  /** A task waits for as long as the clock said when its wait began, and then runs only if it is its time. */
  function wasClockSet(): boolean {
    const beforeMs = setToMs;
    setToMs = clock.now().getTime() - clock.monotonicMs();
    return Math.abs(setToMs - beforeMs) > 1000;
  }

  /** Up to when no time of a job was missed, in milliseconds. */
  const lookedAtMs = new Map<JobName, number>();

  async function wasMissed(
    { name, updatedAt }: JobRecord & { name: JobName },
    task: ScheduledTask,
  ): Promise<boolean> {
    // The task itself fires within the minute.
    const untilMs = Math.floor(clock.now().getTime() / MINUTE_MS - 1) * MINUTE_MS;
    const lookedMs = lookedAtMs.get(name) ?? untilMs - CAUGHT_UP_MS;
    if (lookedMs >= untilMs) return false;
    const { active, last } = await readLastRuns(db, name);
    // Clocks of processes differ a little.
    const ranMs = (last?.startedAt.getTime() ?? 0) + MINUTE_MS / 2;
    const sinceMs = active ? untilMs : Math.max(lookedMs, ranMs, updatedAt.getTime());
    for (let atMs = untilMs; atMs > sinceMs; atMs -= MINUTE_MS)
      if (task.match(new Date(atMs))) return true;
    lookedAtMs.set(name, untilMs);
    return false;
  }

  async function drop(name: JobName): Promise<void> {
    await tasks.get(name)?.task.destroy();
    tasks.delete(name);
  }

  return {
    async sync() {
      const jobs = await listJobs(db);
      const beginAnew = wasClockSet();
      if (beginAnew) lookedAtMs.clear();
      for (const job of jobs) {
        const { name, cron, enabled } = job;
        if (!isJobName(name)) continue;
        const known = tasks.get(name);
        if (known?.cron === cron && enabled && !beginAnew) {
          if (caughtUp.has(name) && (await wasMissed({ ...job, name }, known.task)))
            await fire(name);
          continue;
        }
        await drop(name);
        if (!enabled) continue;
        // Else it tells of each time that passed while the machine slept.
        const options = { timezone, name, suppressMissedWarning: true };
        const task = createTask(cron, () => fire(name), options);
        await task.start();
        tasks.set(name, { cron, task });
      }
      await keepToWindows({ db, firesOf }, jobs, clock.now());
    },
    async stop() {
      for (const name of tasks.keys()) await drop(name);
    },
  };
}

/** A crawl job without a run is opened for the rest of its window, and what was opened so ends with it. */
async function keepToWindows(
  { db, firesOf }: { db: Db; firesOf: FiresOf },
  jobs: readonly JobRecord[],
  now: Date,
): Promise<void> {
  const active = new Map((await readActiveRuns(db)).map((run) => [run.job, run]));
  const nowMs = now.getTime();
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  for (const job of jobs) {
    const { name, cron, enabled } = job;
    if (!isCrawlJob(name) || !enabled) continue;
    // No window is longer than a day.
    const fires = [...firesOf(cron, dayMs - DAY_MS), ...firesOf(cron, dayMs)];
    const firedMs = fires.findLast((ms) => ms <= nowMs) ?? -Infinity;
    const isOpen = nowMs - firedMs < windowMsOf(job);
    const run = active.get(name);
    if (!run && isOpen) await startRun(db, name, "startup", now);
    if (run?.trigger === "startup" && !isOpen)
      await finishRun(db, run.id, { outcome: "done" }, now);
  }
}

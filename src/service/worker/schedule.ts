import { createTask, parse, validateDetailed } from "node-cron";
import {
  endFreeRun,
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
import { unlessHeld } from "../../db/transact.ts";
import { dayMs, minuteMs } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { CronFault } from "../../crawl/budget/cron-fault.ts";

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

/** None of a stored expression that cannot be read, which another version may have taken. */
export function nextCronRuns(expression: string, count: number, timezone: string): Date[] {
  try {
    return createTask(expression, () => {}, { timezone }).getNextRuns(count);
  } catch {
    return [];
  }
}

/** Zones differ by quarters of an hour, so that each has one local hour and day. */
const quarterMs = 15 * minuteMs;
/** Days of expressions: a few jobs on a few days, and those that ops have tried. */
const mostKept = 100;

/**
 * Returns what finds the moments at which expressions fire in the zone; those of a day are found once. A stored
 * expression that cannot be read never fires, and the logger is told.
 */
export function createFires(timezone: string, logger?: Logger): FiresOf {
  const kept = new Map<string, readonly number[]>();
  const local = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
  });

  function find(expression: string, dayStartMs: number): number[] {
    const { minute, hour } = parse(expression);
    const task = createTask(expression, () => {}, { timezone });
    const fires: number[] = [];
    for (let atMs = dayStartMs; atMs < dayStartMs + dayMs; atMs += quarterMs) {
      const [localHour, localMinute = 0] = local.format(atMs).split(":").map(Number);
      const inQuarter = [...new Set(minute)]
        .map((m) => m - localMinute)
        .filter((after) => after >= 0 && after < 15)
        .map((after) => atMs + after * minuteMs);
      if (inQuarter[0] === undefined || !hour.some((h) => h === localHour)) continue;
      if (task.match(new Date(inQuarter[0]))) fires.push(...inQuarter);
    }
    return fires;
  }

  function findReadable(expression: string, dayStartMs: number): number[] {
    try {
      return find(expression, dayStartMs);
    } catch (error) {
      logger?.error(
        { err: error, cron: expression },
        "a job never runs: its schedule is unreadable",
      );
      return [];
    }
  }

  return (expression, dayStartMs) => {
    const key = `${dayStartMs} ${expression}`;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= mostKept) kept.clear();
    const found = findReadable(expression, dayStartMs).toSorted((a, b) => a - b);
    kept.set(key, found);
    return found;
  };
}

/** The last moment of an expression after one moment and up to another, in milliseconds; null: there is none. */
function lastFire(firesOf: FiresOf, cron: string, afterMs: number, untilMs: number): number | null {
  const today = Math.floor(untilMs / dayMs) * dayMs;
  for (let dayStartMs = today; dayStartMs > afterMs - dayMs; dayStartMs -= dayMs) {
    const fire = firesOf(cron, dayStartMs).findLast((ms) => ms <= untilMs);
    if (fire !== undefined) return fire > afterMs ? fire : null;
  }
  return null;
}

/** Jobs of which none is left out because no worker ran at their time, or the database was away. */
const caughtUp = new Set<string>(["housekeeping", "public-exports"] satisfies JobName[]);
/** Older times are not looked for. */
const caughtUpMs = 8 * dayMs;

const lookMs = 3000;

/**
 * A step for `runLoop`: reads the job table and opens the runs that are due by its cron expressions, in the upstream's
 * time zone; returns the pause in milliseconds, at most to the next full minute. One of all processes takes a run up. If
 * a run is still active, nothing is opened. A daily job whose time has passed without a run is due at once, and a crawl
 * job without a run is opened for the rest of its window: when a worker starts, the database was away, the schedule was
 * changed, or a run by hand has ended.
 */
export function createSchedule(options: {
  db: Db;
  clock: Clock;
  timezone: string;
  logger?: Logger;
}): () => Promise<number> {
  const { db, clock } = options;
  const firesOf = createFires(options.timezone, options.logger);
  /** Up to when the times of a job were looked at, in milliseconds. */
  const lookedAtMs = new Map<string, number>();

  async function isDue({ name, cron, updatedAt }: JobRecord, nowMs: number): Promise<boolean> {
    const mostMs = caughtUp.has(name) ? caughtUpMs : minuteMs;
    const sinceMs = Math.max(lookedAtMs.get(name) ?? updatedAt.getTime(), nowMs - mostMs);
    const firedMs = lastFire(firesOf, cron, sinceMs, nowMs);
    if (firedMs === null) return false;
    // Two processes at the same time are told apart by `startRun`.
    if (nowMs - firedMs < minuteMs / 2) return true;
    const { active, last } = await readLastRuns(db, name);
    const ranMs = (active ?? last)?.startedAt.getTime() ?? 0;
    // Clocks of processes differ a little.
    return ranMs + minuteMs / 2 < firedMs;
  }

  /** False: not while somebody holds the table of runs. */
  async function openRun(name: JobName, trigger: "cron" | "startup", now: Date): Promise<boolean> {
    const isDone = await unlessHeld(db, (part) => startRun(part, name, trigger, now));
    if (!isDone)
      options.logger?.warn({ job: name }, "no run is opened: somebody holds the table job_run");
    return isDone;
  }

  /** A crawl job without a run is opened for the rest of its window, and what was opened so ends with it. */
  async function keepToWindows(jobs: readonly JobRecord[], now: Date): Promise<void> {
    const active = new Map((await readActiveRuns(db)).map((run) => [run.job, run]));
    const nowMs = now.getTime();
    for (const job of jobs) {
      const { name, cron, enabled } = job;
      if (!isCrawlJob(name) || !enabled) continue;
      const isOpen = lastFire(firesOf, cron, nowMs - windowMsOf(job), nowMs) !== null;
      const run = active.get(name);
      if (!run && isOpen) await openRun(name, "startup", now);
      if (run?.trigger === "startup" && !isOpen) await endFreeRun(db, run.id, now);
    }
  }

  return async () => {
    const jobs = await listJobs(db);
    const now = clock.now();
    const nowMs = now.getTime();
    for (const job of jobs) {
      const { name, enabled } = job;
      if (!isJobName(name)) continue;
      const toOpen = enabled && (await isDue(job, nowMs));
      if (toOpen && !(await openRun(name, "cron", now))) continue;
      // Also if it is earlier than before: the clock was set back.
      lookedAtMs.set(name, nowMs);
    }
    await keepToWindows(jobs, now);
    // A window of a minute that is to go on must not end before its job is looked at.
    const nextMs = nowMs - (nowMs % minuteMs) + minuteMs;
    return Math.max(0, Math.min(lookMs, nextMs - clock.now().getTime()));
  };
}

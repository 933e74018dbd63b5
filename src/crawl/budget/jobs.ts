import { and, asc, desc, eq, isNotNull, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { job, jobRun } from "../../db/schema.ts";
import { unlessHeld } from "../../db/transact.ts";

/** Jobs that spend calls; the crawler runs them side by side. */
export const crawlJobs = ["discover", "feed", "revalidate"] as const;
export type CrawlJob = (typeof crawlJobs)[number];
export const jobNames = [...crawlJobs, "verify-mirror", "housekeeping", "public-exports"] as const;
export type JobName = (typeof jobNames)[number];

export type JobRecord = typeof job.$inferSelect;
export type JobRunRecord = typeof jobRun.$inferSelect;
export type Trigger = JobRunRecord["trigger"];

export interface JobSetting {
  default: number;
  min: number;
  max: number;
}

const weight: JobSetting = { default: 1, min: 0, max: 100 };
const windowMinutes = (minutes: number): JobSetting => ({ default: minutes, min: 1, max: 1440 });

/**
 * Of each job when it runs and the settings that it knows. `weight` multiplies the value of a job's calls.
 * `window_minutes`: how long a scheduled run lasts, so cron and window together say when a job may spend calls.
 * `trials`: proposed keywords of each rule that may wait for their trial. `max_age_days`: every product is checked
 * within this time, whatever its value. `target_hours`: products of weight `target_weight` and more should be
 * checked within this time at p95 (0: no target); `plan` warns if the calls are too few. `gone_weight`: a deleted
 * product that is still shown counts so many times an old price. `on_demand_share`: part of the day's calls that is
 * kept for refresh on demand. `match_precision`: share of right links below which a category links nothing by text.
 * `keep_changes_days`: of older changes, only the newest of each product is kept; `keep_confirmations_months`: for so long
 * every confirmed day is kept.
 */
const jobs = {
  discover: {
    cron: "*/15 * * * *",
    settings: {
      weight,
      window_minutes: windowMinutes(15),
      rewalk_hours: { default: 720, min: 1, max: 8760 },
      trials: { default: 3, min: 0, max: 100 },
    },
  },
  feed: { cron: "*/5 * * * *", settings: { weight, window_minutes: windowMinutes(5) } },
  revalidate: {
    cron: "* * * * *",
    settings: {
      weight,
      window_minutes: windowMinutes(1),
      max_age_days: { default: 30, min: 0.01, max: 3650 },
      target_hours: { default: 0, min: 0, max: 87_600 },
      target_weight: { default: 1, min: 0, max: 1000 },
      gone_weight: { default: 3, min: 1, max: 1000 },
      on_demand_share: { default: 0.05, min: 0, max: 0.5 },
    },
  },
  "verify-mirror": { cron: "17 * * * *", settings: {} },
  housekeeping: {
    cron: "43 3 * * *",
    settings: {
      keep_calls_days: { default: 400, min: 1, max: 3650 },
      keep_runs_days: { default: 30, min: 1, max: 3650 },
      keep_confirmations_months: { default: 36, min: 1, max: 1200 },
      keep_changes_days: { default: 7, min: 1, max: 3650 },
      // Answers look back 365 days.
      keep_history_months: { default: 1200, min: 13, max: 1200 },
      match_precision: { default: 0.8, min: 0.5, max: 1 },
    },
  },
  "public-exports": {
    cron: "13 5 * * *",
    settings: { keep_snapshots: { default: 3, min: 1, max: 100 } },
  },
} satisfies Record<JobName, { cron: string; settings: Record<string, JobSetting> }>;

export type JobSettings<Name extends JobName> = Record<
  keyof (typeof jobs)[Name]["settings"],
  number
>;

/** The settings that a job knows; anything else is refused. */
export function jobSettingsOf(name: JobName): Readonly<Record<string, JobSetting>> {
  return jobs[name].settings;
}

/** A job's settings, with the defaults for what its row lacks. */
export function toJobSettings<Name extends JobName>(
  name: Name,
  stored: JobRecord["settings"] = {},
): JobSettings<Name> {
  const settings = Object.entries(jobSettingsOf(name)).map(([key, { default: usual }]) => {
    const value = stored[key];
    return [key, typeof value === "number" ? value : usual];
  });
  // Safe: it has each setting of the job.
  return Object.fromEntries(settings) as JobSettings<Name>;
}

export async function ensureJobs(db: Db, now: Date): Promise<void> {
  await db
    .insert(job)
    .values(
      jobNames.map((name) => {
        return { name, cron: jobs[name].cron, settings: toJobSettings(name), updatedAt: now };
      }),
    )
    .onConflictDoNothing();
}

export async function listJobs(db: Db): Promise<JobRecord[]> {
  return db.select().from(job).orderBy(asc(job.name));
}

/** The job as it is; nobody else changes it before the transaction ends. Null if there is no such row. */
export async function lockJob(tx: Tx, name: JobName): Promise<JobRecord | null> {
  const [row] = await tx.select().from(job).where(eq(job.name, name)).for("update");
  return row ?? null;
}

export async function readJobSettings<Name extends JobName>(
  db: Db,
  name: Name,
): Promise<JobSettings<Name>> {
  const [row] = await db.select({ settings: job.settings }).from(job).where(eq(job.name, name));
  return toJobSettings(name, row?.settings);
}

/** Ten years: the end of a longer stored window may be no date. */
const mostMinutes = 5_256_000;

/** How long a scheduled run of the job lasts. */
export function windowMsOf({ settings }: Pick<JobRecord, "settings">): number {
  const minutes = typeof settings.window_minutes === "number" ? settings.window_minutes : 1;
  return Math.min(minutes, mostMinutes) * 60_000;
}

export function isJobName(name: string): name is JobName {
  return jobNames.some((known) => known === name);
}

/** Merges the validated change into the job. Another schedule ends the run that the former one has opened. */
export async function updateJob(
  db: Db | Tx,
  name: JobName,
  change: { cron?: string; enabled?: boolean; settings?: Record<string, number> },
  now: Date,
): Promise<JobRecord | null> {
  const { settings, ...rest } = change;
  const [row] = await db
    .update(job)
    .set({
      ...rest,
      ...(settings
        ? { settings: sql`${job.settings} || ${JSON.stringify(settings)}::text::jsonb` }
        : {}),
      updatedAt: now,
    })
    .where(eq(job.name, name))
    .returning();
  if (change.cron !== undefined || settings?.window_minutes !== undefined)
    await endScheduledRun(db, name, now);
  return row ?? null;
}

async function endScheduledRun(db: Db | Tx, name: JobName, now: Date): Promise<void> {
  if (!isCrawlJob(name)) return;
  await db
    .update(jobRun)
    .set({ finishedAt: now, outcome: "done" })
    .where(and(eq(jobRun.job, name), isNull(jobRun.finishedAt), ne(jobRun.trigger, "manual")));
}

/** Cron fires of several processes within this time are one fire; cron itself counts in minutes. */
const sameFireMs = 30_000;

/**
 * Opens a run; null if one is active already, or if another process answered this fire. A cron fire
 * prolongs an open crawl run, so that windows follow without a gap; a manual run replaces a scheduled one.
 * The schedule does not wait for a run whose row somebody holds: it is not prolonged.
 */
export async function startRun(
  db: Db | Tx,
  name: JobName,
  trigger: Trigger,
  now: Date,
): Promise<JobRunRecord | null> {
  const at = now.toISOString();
  const since = new Date(now.getTime() - sameFireMs).toISOString();
  const until = new Date(now.getTime() + sameFireMs).toISOString();
  return db.transaction(async (tx) => {
    if (trigger === "manual") await endScheduledRun(tx, name, now);
    const rows = await tx.execute<{ id: number }>(sql`
      with active as (
        select id, trigger from job_run where job = ${name} and finished_at is null
      ), answered as (
        select from job_run where job = ${name} and trigger = 'cron' and started_at > ${since} and started_at < ${until}
      ), prolonged as (
        update job_run set started_at = ${at} where ${trigger === "cron" && isCrawlJob(name)} and id in (
          select id from job_run where id in (select id from active where trigger <> 'manual')
            and finished_at is null and not exists (select from answered)
          for no key update skip locked)
        returning id
      ), opened as (
        insert into job_run (job, trigger, started_at)
        select ${name}, ${trigger}, ${at} where not exists (select from active)
          and (${trigger} <> 'cron' or not exists (select from answered))
        on conflict (job) where finished_at is null do nothing returning id
      )
      select id from prolonged union all select id from opened`);
    const id = rows[0]?.id;
    if (id === undefined) return null;
    const [run] = await tx.select().from(jobRun).where(eq(jobRun.id, id));
    return run ?? null;
  });
}

export function isCrawlJob(name: string): name is CrawlJob {
  return crawlJobs.some((crawl) => crawl === name);
}

/**
 * Ends the manual run of a crawl job: no further call is made for it, and calls under way are finished.
 * Null if there is no such run.
 */
export async function stopRun(tx: Tx, name: CrawlJob, now: Date): Promise<JobRunRecord | null> {
  const [run] = await tx
    .update(jobRun)
    .set({ finishedAt: now, outcome: "stopped" })
    .where(and(eq(jobRun.job, name), isNull(jobRun.finishedAt), eq(jobRun.trigger, "manual")))
    .returning();
  return run ?? null;
}

export async function isActive(db: Db, runId: number): Promise<boolean> {
  const rows = await db
    .select({ id: jobRun.id })
    .from(jobRun)
    .where(and(eq(jobRun.id, runId), isNull(jobRun.finishedAt)));
  return rows.length === 1;
}

export async function readActiveRuns(db: Db): Promise<JobRunRecord[]> {
  return db.select().from(jobRun).where(isNull(jobRun.finishedAt)).orderBy(asc(jobRun.id));
}

export async function finishRun(
  db: Db,
  id: number,
  end: { outcome: "done" | "failed"; error?: string },
  now: Date,
): Promise<void> {
  await db
    .update(jobRun)
    .set({ finishedAt: now, outcome: end.outcome, error: end.error ?? null })
    .where(and(eq(jobRun.id, id), isNull(jobRun.finishedAt)));
}

/** Ends a run that is done. */
export async function endFreeRun(db: Db, id: number, now: Date): Promise<void> {
  await writeFreeRun(db, id, sql`finished_at = ${now.toISOString()}, outcome = 'done'`);
}

/** Has an open run begin now; returns whether it does. */
export async function beginFreeRun(db: Db, id: number, now: Date): Promise<boolean> {
  return writeFreeRun(db, id, sql`started_at = ${now.toISOString()}`);
}

/** Not while somebody holds its row or the table: the crawl does not wait, and writes it later. */
async function writeFreeRun(db: Db, id: number, change: SQL): Promise<boolean> {
  const write = sql`
    update job_run set ${change}
    where id in (
      select id from job_run where id = ${id} and finished_at is null for no key update skip locked)
    returning id`;
  let isWritten = false;
  await unlessHeld(db, async (part) => {
    isWritten = (await part.execute(write)).length > 0;
  });
  return isWritten;
}

/** The active run if there is one, and the last finished one. */
export async function readLastRuns(
  db: Db,
  name: string,
): Promise<{ active: JobRunRecord | null; last: JobRunRecord | null }> {
  const [active] = await db
    .select()
    .from(jobRun)
    .where(and(eq(jobRun.job, name), isNull(jobRun.finishedAt)));
  const [last] = await db
    .select()
    .from(jobRun)
    .where(and(eq(jobRun.job, name), isNotNull(jobRun.finishedAt)))
    .orderBy(desc(jobRun.startedAt))
    .limit(1);
  return { active: active ?? null, last: last ?? null };
}

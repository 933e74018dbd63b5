import type { Db } from "../../db/open.ts";
import { dayMs } from "../../lib/calendar.ts";
import { isCrawlJob, readActiveRuns, windowMsOf, type JobRecord } from "./jobs.ts";

/** When a cron expression fires on the UTC day that begins then, in milliseconds and in order. */
export type FiresOf = (expression: string, dayMs: number) => readonly number[];

/** A time, in milliseconds. */
export interface Span {
  from: number;
  until: number;
}

/** When jobs may spend calls: times in order, of which none overlap. */
export type OpenTime = readonly Span[];

const always: OpenTime = [{ from: -Infinity, until: Infinity }];

/** The windows of the crawl jobs that fire from one moment to another. Without `firesOf` they are always open. */
export function windowsOf(
  jobs: readonly JobRecord[],
  firesOf: FiresOf | undefined,
  from: number,
  until: number,
): OpenTime {
  if (!firesOf) return always;
  const spans: Span[] = [];
  for (const job of jobs) {
    if (!isCrawlJob(job.name) || !job.enabled || job.settings.weight === 0) continue;
    const lengthMs = windowMsOf(job);
    for (let day = Math.floor(from / dayMs) * dayMs; day < until; day += dayMs) {
      for (const at of firesOf(job.cron, day))
        if (at >= from && at < until) add(spans, { from: at, until: at + lengthMs });
    }
  }
  return merged(spans);
}

/** The windows that cover some of the time between two moments, by the present schedule. */
export function windowsBetween(
  jobs: readonly JobRecord[],
  firesOf: FiresOf | undefined,
  from: Date,
  until: Date,
): OpenTime {
  const longestMs = Math.max(0, ...jobs.map(windowMsOf));
  return windowsOf(jobs, firesOf, from.getTime() - longestMs, until.getTime());
}

/** Whether a window of these jobs is open then. */
export function isOpenAt(jobs: readonly JobRecord[], firesOf: FiresOf, atMs: number): boolean {
  const at = new Date(atMs);
  const windows = windowsBetween(jobs, firesOf, at, new Date(atMs + 1));
  return windows.some((span) => span.from <= atMs && atMs < span.until);
}

/**
 * The windows that are open now or come. A run by hand is open to the end, and counts only while no window is open: in a
 * window the scheduled calls set the pace.
 */
export async function readOpenTime(
  db: Db,
  jobs: readonly JobRecord[],
  { firesOf, now, until }: { firesOf: FiresOf | undefined; now: Date; until: Date },
): Promise<OpenTime> {
  const windows = windowsBetween(jobs, firesOf, now, until);
  const nowMs = now.getTime();
  if (windows.some((span) => span.from <= nowMs && nowMs < span.until)) return windows;
  const isByHand = (await readActiveRuns(db)).some(
    ({ job, trigger }) => isCrawlJob(job) && trigger === "manual",
  );
  return isByHand ? always : windows;
}

/** Milliseconds of it between two moments. */
export function openMs(open: OpenTime, from: number, until: number): number {
  return open.reduce(
    (sum, span) => sum + Math.max(0, Math.min(until, span.until) - Math.max(from, span.from)),
    0,
  );
}

function merged(spans: readonly Span[]): OpenTime {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) add(result, { ...span });
  return result;
}

/** Prolongs the last one if they touch. */
function add(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last && span.from >= last.from && span.from <= last.until)
    last.until = Math.max(last.until, span.until);
  else spans.push(span);
}

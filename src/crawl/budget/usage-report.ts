import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Purpose } from "./call-log.ts";
import { calendarDay, hourMs } from "../../lib/calendar.ts";

export interface Spending {
  /** Start of the step. */
  at: Date;
  calls: number;
}

/** Calls by time step; steps without calls are left out. `to` is excluded. */
export async function readSpending(
  db: Db,
  { from, to, stepMs }: { from: Date; to: Date; stepMs: number },
): Promise<Spending[]> {
  const rows = await db.execute<{ step: number; calls: number }>(sql`
    select floor(extract(epoch from reserved_at - ${from.toISOString()}::timestamptz) * 1000 / ${stepMs}::float8)::int as step,
      count(*) as calls
    from api_call
    where reserved_at >= ${from.toISOString()} and reserved_at < ${to.toISOString()}
    group by 1 order by 1`);
  return rows.map(({ step, calls }) => ({ at: new Date(from.getTime() + step * stepMs), calls }));
}

export interface Purchase {
  purpose: Purpose;
  job: string;
  calls: number;
  /** Without a recorded outcome (yet): counted all the same. */
  unknown: number;
  failed: number;
  created: number;
  changed: number;
  unchanged: number;
  gone: number;
  quarantined: number;
}

/** What a day's calls were spent on and found; most calls first. */
export async function readPurchases(db: Db, day: string): Promise<Purchase[]> {
  return db.execute<Purchase & Record<string, unknown>>(sql`
    select purpose, job, sum(calls)::int as calls,
      coalesce(sum(calls) filter (where outcome = 'unknown'), 0)::int as unknown,
      coalesce(sum(calls) filter (where outcome not in ('ok', 'unknown')), 0)::int as failed,
      sum(created)::int as created, sum(changed)::int as changed, sum(unchanged)::int as unchanged,
      sum(gone)::int as gone, sum(quarantined)::int as quarantined
    from analytics.call_days where day = ${day}::date
    group by purpose, job order by calls desc, job`);
}

export interface SpentDay {
  day: string;
  limit: number;
  used: number;
  /** null: no call is known of that day. */
  created: number | null;
  changed: number | null;
  gone: number | null;
  refused: boolean;
}

/** The last days, newest first. */
export async function readSpentDays(db: Db, days: number): Promise<SpentDay[]> {
  return db.execute<SpentDay & Record<string, unknown>>(sql`
    select day::text, limit_calls as limit, used, created::int, changed::int, gone::int,
      refused_at is not null as refused
    from analytics.budget_days order by day desc limit ${days}`);
}

export const reportRanges = ["day", "week", "month"] as const;
export type ReportRange = (typeof reportRanges)[number];

const hours = 24;
const days = { week: 7, month: 30 } as const;

/** The calls of an hour or a day. */
export interface FailureStep {
  /** The hour's beginning, or the noon (UTC) of a day of the upstream's calendar. */
  at: Date;
  /** `2026-01-31`; null for an hour. */
  day: string | null;
  /** All of them, failed or not. */
  calls: number;
  /** Failed ones by the code of the failure. Calls whose outcome is unknown are none. */
  failures: ReadonlyMap<string, number>;
}

type Row = { step: number; outcome: string; calls: number };

/** Failures by kind over the last 24 hours by the hour, or the last 7 or 30 days by the day; oldest first. */
export async function readFailures(
  db: Db,
  { range, now, timezone }: { range: ReportRange; now: Date; timezone: string },
): Promise<FailureStep[]> {
  if (range === "day") {
    const from = Math.floor(now.getTime() / hourMs) * hourMs - (hours - 1) * hourMs;
    const starts = Array.from({ length: hours }, (_, i) => new Date(from + i * hourMs));
    const rows = await db.execute<Row>(sql`
      select floor(extract(epoch from reserved_at - ${new Date(from).toISOString()}::timestamptz) / 3600)::int as step,
        coalesce(outcome, 'unknown') as outcome, count(*)::int as calls
      from api_call
      where reserved_at >= ${new Date(from).toISOString()}
        and reserved_at < ${new Date(from + hours * hourMs).toISOString()}
      group by 1, 2`);
    return starts.map((at, step) => ({ at, day: null, ...sum(rows, step) }));
  }
  const today = calendarDay(now, timezone);
  const count = days[range];
  const noon = Date.parse(`${today}T12:00:00Z`) - (count - 1) * hours * hourMs;
  const within = sql`day > ${today}::date - ${count}::int and day <= ${today}::date`;
  // As in `analytics.call_days`, which would also sum what is not asked for here. Postgres is told which days, because it
  // would start workers for the calls of a month.
  const [summed] = await db.execute<{ to: string }>(sql`
    select coalesce(max(day), '-infinity')::text as to from call_day`);
  const rows = await db.execute<Row>(sql`
    select ${count - 1}::int - (${today}::date - day) as step, outcome, sum(calls)::int as calls from (
      select day, outcome, calls from call_day where ${within}
      union all
      select day, coalesce(outcome, 'unknown'), count(*) from api_call
      where ${within} and day > ${summed?.to ?? "-infinity"}::date group by 1, 2
    ) c group by 1, 2`);
  return Array.from({ length: count }, (_, step) => {
    const at = new Date(noon + step * hours * hourMs);
    return { at, day: at.toISOString().slice(0, 10), ...sum(rows, step) };
  });
}

function sum(rows: readonly Row[], step: number) {
  const own = rows.filter((row) => row.step === step);
  const failed = own.filter(({ outcome }) => outcome !== "ok" && outcome !== "unknown");
  return {
    calls: own.reduce((total, { calls }) => total + calls, 0),
    failures: new Map(failed.map(({ outcome, calls }) => [outcome, calls])),
  };
}

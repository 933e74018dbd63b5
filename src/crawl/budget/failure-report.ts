import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { calendarDay } from "../../lib/calendar.ts";

export const reportRanges = ["day", "week", "month"] as const;
export type ReportRange = (typeof reportRanges)[number];

const HOUR_MS = 3_600_000;
const HOURS = 24;
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
    const from = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
    const starts = Array.from({ length: HOURS }, (_, i) => new Date(from + i * HOUR_MS));
    const rows = await db.execute<Row>(sql`
      select floor(extract(epoch from reserved_at - ${new Date(from).toISOString()}::timestamptz) / 3600)::int as step,
        coalesce(outcome, 'unknown') as outcome, count(*)::int as calls
      from api_call
      where reserved_at >= ${new Date(from).toISOString()}
        and reserved_at < ${new Date(from + HOURS * HOUR_MS).toISOString()}
      group by 1, 2`);
    return starts.map((at, step) => ({ at, day: null, ...sum(rows, step) }));
  }
  const today = calendarDay(now, timezone);
  const count = days[range];
  const noon = Date.parse(`${today}T12:00:00Z`) - (count - 1) * HOURS * HOUR_MS;
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
    const at = new Date(noon + step * HOURS * HOUR_MS);
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

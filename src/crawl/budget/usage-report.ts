import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Purpose } from "./call-log.ts";

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

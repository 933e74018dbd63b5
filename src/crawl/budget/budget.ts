import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { budgetDay } from "../../db/schema.ts";
import { calendarDay, nextDayStart } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import type { Purpose } from "./call-log.ts";
import { readObservedLimit, toExpected, type ObservedLimit } from "./observed-limit.ts";

export interface BudgetRules {
  /**
   * Calls in a day of the upstream's calendar, both operations together. Each call compares it with the
   * count of all processes: a process never exceeds its own limit, whoever made the earlier calls, and
   * a changed limit takes effect with the process's first call.
   */
  dailyLimit: number;
  /** IANA zone in which the upstream's date changes. */
  timezone: string;
  maxCallsPerSecond: number;
  /** Longest time from reservation to arrival upstream, in milliseconds. */
  flightMs: number;
  /** How much our clock and the upstream's may differ, in milliseconds. */
  skewMs: number;
}

/** The calls of a day, and in which zone the day is counted. */
export type DayRules = Pick<BudgetRules, "dailyLimit" | "timezone">;

export interface CallIntent {
  purpose: Purpose;
  operation: "search" | "refresh";
  job: string;
  /** As sent, without credentials. */
  params: Record<string, unknown>;
  /** Product ids in a refresh. */
  asked: number | null;
}

export type Reservation =
  | { granted: true; callId: number; day: string; sendAt: Date }
  | { granted: false; reason: "spent" | "refused"; resumeAt: Date };

class NotGranted extends Error {}

/**
 * Counts one call in a committed transaction before it may be sent. Near the date change a call may
 * arrive on either side of it, so it must fit into both days and is counted in both: no clock skew
 * within the rules can push a day over its limit. `sendAt` is the call's turn under the politeness
 * ceiling that all processes share. A counted call is never given back.
 */
export async function reserveCall(
  db: Db,
  clock: Clock,
  rules: BudgetRules,
  intent: CallIntent,
): Promise<Reservation> {
  const now = clock.now();
  try {
    return await db.transaction(async (tx) => {
      const sendAt = await takeTurn(tx, now, rules);
      const days = daysTouched(sendAt, rules);
      await takeFromDays(tx, days, rules.dailyLimit, intent.purpose);
      const [call] = await tx.execute<{ id: number }>(sql`
        insert into api_call (day, purpose, operation, job, params, reserved_at, asked)
        values (${must(days[0], "a calendar day")}, ${intent.purpose}, ${intent.operation}, ${intent.job},
          ${JSON.stringify(intent.params)}::text::jsonb, ${sendAt.toISOString()}, ${intent.asked})
        returning id`);
      return {
        granted: true,
        callId: must(call, "the ledger's new row").id,
        day: must(days[0], "a calendar day"),
        sendAt,
      };
    });
  } catch (error) {
    if (!(error instanceof NotGranted)) throw error;
    const day = await readDay(db, calendarDay(now, rules.timezone));
    return {
      granted: false,
      reason: day.refusedAt ? "refused" : "spent",
      resumeAt: new Date(nextDayStart(now, rules.timezone).getTime() + rules.skewMs),
    };
  }
}

/** The earlier day first; there are two only around the date change. */
function daysTouched(sendAt: Date, rules: BudgetRules): string[] {
  const earliest = new Date(sendAt.getTime() - rules.skewMs);
  const latest = new Date(sendAt.getTime() + rules.flightMs + rules.skewMs);
  return [...new Set([earliest, latest].map((t) => calendarDay(t, rules.timezone)))];
}

const PURPOSE_COLUMNS = {
  discovery: sql`discovery = b.discovery + 1`,
  revalidation: sql`revalidation = b.revalidation + 1`,
  on_demand: sql`on_demand = b.on_demand + 1`,
} satisfies Record<Purpose, unknown>;

async function takeFromDays(
  tx: Tx,
  days: string[],
  limit: number,
  purpose: Purpose,
): Promise<void> {
  for (const day of days.toSorted()) {
    await tx.execute(sql`
      insert into budget_day (day, limit_calls) values (${day}, ${limit}) on conflict do nothing`);
    const taken = await tx.execute(sql`
      update budget_day b set used = b.used + 1, limit_calls = ${limit}, ${PURPOSE_COLUMNS[purpose]}
      where day = ${day} and used < ${limit} and refused_at is null
      returning day`);
    if (taken.length !== 1) throw new NotGranted(day);
  }
}

/** A turn further in the future comes from a clock that jumped, not from waiting calls. */
const LONGEST_QUEUE_MS = 60_000;

/** One row that every process advances: all calls together are at least 1/maxCallsPerSecond apart. */
async function takeTurn(tx: Tx, now: Date, rules: BudgetRules): Promise<Date> {
  const gapMs = 1000 / rules.maxCallsPerSecond;
  const nowMs = now.getTime();
  const [row] = await tx.execute<{ next_ms: number }>(sql`
    insert into setting as s (key, value, updated_at)
    values ('next_call_ms', to_jsonb(${nowMs + gapMs}::float8), ${now.toISOString()})
    on conflict (key) do update set
      value = to_jsonb(${gapMs}::float8 + case
        when s.value::text::float8 between ${nowMs}::float8 and ${nowMs + LONGEST_QUEUE_MS}::float8
        then s.value::text::float8 else ${nowMs}::float8 end),
      updated_at = excluded.updated_at
    returning value::text::float8 as next_ms`);
  return new Date(Math.ceil(must(row, "the next turn").next_ms - gapMs));
}

/**
 * The upstream answered `day_api_limit`: the day of the call's reservation is over for every process,
 * whenever the answer came. A call near the date change is counted in two days; this is the earlier
 * one, because a limit cannot be reached in the first seconds of a day. If it was the later one after
 * all, the next call gets the same answer.
 */
export async function closeDay(
  tx: Tx,
  rules: DayRules,
  callId: number,
  refusedAt: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into budget_day (day, limit_calls, refused_at)
    select day, ${rules.dailyLimit}::int, ${refusedAt.toISOString()}::timestamptz
    from api_call where id = ${callId}
    on conflict (day) do update set refused_at = coalesce(budget_day.refused_at, excluded.refused_at)`);
}

interface BudgetDay {
  day: string;
  used: number;
  byPurpose: Record<Purpose, number>;
  refusedAt: Date | null;
}

/** Zeros before the first call of the day. */
async function readDay(db: Db, day: string): Promise<BudgetDay> {
  const [row] = await db
    .select({
      used: budgetDay.used,
      byPurpose: {
        discovery: budgetDay.discovery,
        revalidation: budgetDay.revalidation,
        on_demand: budgetDay.onDemand,
      },
      refusedAt: budgetDay.refusedAt,
    })
    .from(budgetDay)
    .where(eq(budgetDay.day, day));
  const none = { used: 0, byPurpose: { discovery: 0, revalidation: 0, on_demand: 0 } };
  return { day, ...(row ?? { ...none, refusedAt: null }) };
}

export interface BudgetToday extends BudgetDay {
  /** As configured in this process now. */
  limit: number;
  timezone: string;
  remaining: number;
  /** Calls to expect today: fewer than the limit if the upstream has ended a day early. */
  expected: number;
  observedLimit: ObservedLimit | null;
  resetsAt: Date;
}

/** Today in the upstream's calendar; zeros before the first call of the day. */
export async function readBudget(db: Db, now: Date, rules: DayRules): Promise<BudgetToday> {
  const name = calendarDay(now, rules.timezone);
  const day = await readDay(db, name);
  const limit = rules.dailyLimit;
  const observedLimit = await readObservedLimit(db, name);
  return {
    ...day,
    limit,
    expected: toExpected(limit, observedLimit),
    observedLimit,
    timezone: rules.timezone,
    remaining: day.refusedAt ? 0 : Math.max(0, limit - day.used),
    resetsAt: nextDayStart(now, rules.timezone),
  };
}

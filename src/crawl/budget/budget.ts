import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { calendarDay } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import {
  accountsOf,
  defaultAccount,
  enterAccount,
  type AccountRules,
  type DayRules,
} from "./accounts.ts";
import { readAccountDays } from "./budget-today.ts";
import type { Purpose } from "./call-log.ts";

export interface BudgetRules extends DayRules {
  maxCallsPerSecond: number;
  /** Longest time from reservation to arrival upstream, in milliseconds. */
  flightMs: number;
  /** How much our clock and the upstream's may differ, in milliseconds. */
  skewMs: number;
  /** Where the database's clock differs by more, a call counts also in the day that it is there: ours may be hours off. */
  heedsDatabaseClock?: boolean;
  /**
   * By how much the upstream's clock is ahead of ours: a call counts also in the day that it is there. The database
   * may be on the machine whose clock is wrong.
   */
  upstreamAheadMs?: () => Promise<number>;
}

export interface CallIntent {
  purpose: Purpose;
  operation: "search" | "refresh";
  job: string;
  /** As sent, without credentials. */
  params: Record<string, unknown>;
  /** Product ids in a refresh. */
  asked: number | null;
}

export interface Reservation {
  callId: number;
  account: string;
  /** The one call that finds out whether a paused account is answered again. */
  isTry: boolean;
  day: string;
  sendAt: Date;
}

class NotGranted extends Error {}

/**
 * Counts one call in a committed transaction before it may be sent. Near the date change a call may
 * arrive on either side of it, so it must fit into both days and is counted in both: no clock skew
 * within the rules can push a day over its limit. `sendAt` is the call's turn under the politeness
 * ceiling of the account, which all processes share. A counted call is never given back.
 *
 * If there are several accounts, it takes the one with the most calls left for the rest of its day. null: no account has
 * a call left, or may make one now.
 */
export async function reserveCall(
  db: Db,
  clock: Clock,
  rules: BudgetRules,
  intent: CallIntent,
): Promise<Reservation | null> {
  const upstreamAheadMs = (await rules.upstreamAheadMs?.()) ?? 0;
  const now = clock.now();
  for (const account of await inOrder(db, now, rules)) {
    const request = { rules, account, intent, upstreamAheadMs };
    try {
      return await db.transaction((tx) => reserveWith(tx, now, request));
    } catch (error) {
      if (!(error instanceof NotGranted)) throw error;
    }
  }
  return null;
}

async function inOrder(db: Db, now: Date, rules: BudgetRules): Promise<readonly AccountRules[]> {
  const accounts = accountsOf(rules);
  if (accounts.length === 1) return accounts;
  const days = await readAccountDays(db, now, rules);
  const perHour = ({ remaining, resetsAt }: (typeof days)[number]) =>
    remaining / (resetsAt.getTime() - now.getTime());
  return days
    .filter(({ remaining }) => remaining > 0)
    .toSorted((a, b) => perHour(b) - perHour(a))
    .map(({ account }) => account);
}

async function reserveWith(
  tx: Tx,
  now: Date,
  {
    rules,
    account,
    intent,
    upstreamAheadMs,
  }: { rules: BudgetRules; account: AccountRules; intent: CallIntent; upstreamAheadMs: number },
): Promise<Reservation> {
  const { sendAt, behindMs } = await takeTurn(tx, now, {
    account: account.name,
    maxCallsPerSecond: account.maxCallsPerSecond ?? rules.maxCallsPerSecond,
  });
  const outcomeBy = new Date(sendAt.getTime() + rules.flightMs + rules.skewMs);
  const entry =
    accountsOf(rules).length === 1 ? "free" : await enterAccount(tx, account.name, now, outcomeBy);
  if (entry === "paused") throw new NotGranted(account.name);
  const others = [rules.heedsDatabaseClock ? behindMs : 0, upstreamAheadMs];
  const touched = [0, ...others.filter((aheadMs) => Math.abs(aheadMs) > rules.skewMs)].flatMap(
    (aheadMs) =>
      daysTouched(new Date(sendAt.getTime() + aheadMs), { ...rules, timezone: account.timezone }),
  );
  const days = [...new Set(touched)].toSorted();
  await takeFromDays(tx, days, account, intent.purpose);
  const day = must(days[0], "a calendar day");
  const [call] = await tx.execute<{ id: number }>(sql`
    insert into api_call (day, account, purpose, operation, job, params, reserved_at, asked)
    values (${day}, ${account.name}, ${intent.purpose}, ${intent.operation}, ${intent.job},
      ${JSON.stringify(intent.params)}::text::jsonb, ${sendAt.toISOString()}, ${intent.asked})
    returning id`);
  const callId = must(call, "the ledger's new row").id;
  return { callId, account: account.name, isTry: entry === "try", day, sendAt };
}

/** One day, or two around the date change. */
function daysTouched(sendAt: Date, rules: BudgetRules): string[] {
  const earliest = new Date(sendAt.getTime() - rules.skewMs);
  const latest = new Date(sendAt.getTime() + rules.flightMs + rules.skewMs);
  return [earliest, latest].map((at) => calendarDay(at, rules.timezone));
}

async function takeFromDays(
  tx: Tx,
  days: readonly string[],
  { name, dailyLimit: limit }: AccountRules,
  purpose: Purpose,
): Promise<void> {
  // A column has the purpose's name.
  const own = sql.identifier(purpose);
  for (const day of days) {
    await tx.execute(sql`
      insert into budget_day (account, day, limit_calls) values (${name}, ${day}, ${limit})
      on conflict do nothing`);
    const taken = await tx.execute(sql`
      update budget_day b set used = b.used + 1, limit_calls = ${limit}, ${own} = b.${own} + 1
      where account = ${name} and day = ${day} and used < ${limit} and refused_at is null
      returning day`);
    if (taken.length !== 1) throw new NotGranted(day);
  }
}

/** A turn further in the future comes from a clock that jumped, not from waiting calls. */
const longestQueueMs = 60_000;

/**
 * One row that every process advances: the account's calls are at least 1/maxCallsPerSecond apart. `behindMs`: how far
 * our clock is behind the database's.
 */
async function takeTurn(
  tx: Tx,
  now: Date,
  { account, maxCallsPerSecond }: { account: string; maxCallsPerSecond: number },
): Promise<{ sendAt: Date; behindMs: number }> {
  const gapMs = 1000 / maxCallsPerSecond;
  const key = account === defaultAccount ? "next_call_ms" : `next_call_ms:${account}`;
  const nowMs = now.getTime();
  const [row] = await tx.execute<{ next_ms: number; there_ms: number }>(sql`
    insert into setting as s (key, value, updated_at)
    values (${key}, to_jsonb(${nowMs + gapMs}::float8), ${now.toISOString()})
    on conflict (key) do update set
      value = to_jsonb(${gapMs}::float8 + case
        when s.value::text::float8 between ${nowMs}::float8 and ${nowMs + longestQueueMs}::float8
        then s.value::text::float8 else ${nowMs}::float8 end),
      updated_at = excluded.updated_at
    returning value::text::float8 as next_ms,
      extract(epoch from statement_timestamp())::float8 * 1000 as there_ms`);
  const { next_ms: nextMs, there_ms: thereMs } = must(row, "the next turn");
  return { sendAt: new Date(Math.ceil(nextMs - gapMs)), behindMs: thereMs - nowMs };
}

/**
 * The upstream answered `day_api_limit`: for the account of the call the day of its reservation is over, for
 * every process and whenever the answer came. A call near the date change is counted in two days; this is the earlier
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
    insert into budget_day (account, day, limit_calls, refused_at)
    select account, day, ${rules.dailyLimit}::int, ${refusedAt.toISOString()}::timestamptz
    from api_call where id = ${callId}
    on conflict (account, day) do update set refused_at = coalesce(budget_day.refused_at, excluded.refused_at)`);
}

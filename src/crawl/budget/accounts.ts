import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { type RowOf, textList } from "../../db/rows.ts";
import { putSetting } from "../../db/settings.ts";
import { setting } from "../../db/schema.ts";
import type { CallsOfDay } from "../../db/backup/backup.ts";
import { calendarDay } from "../../lib/calendar.ts";
import type { FiresOf } from "./open-time.ts";

/** An account at the upstream, without its credentials. */
export interface AccountRules {
  name: string;
  /** Calls in a day of the account's zone. */
  dailyLimit: number;
  /** IANA zone in which the account's date changes. */
  timezone: string;
  /** By default that of the rules. */
  maxCallsPerSecond?: number;
}

/** The account of the environment's settings. */
export const defaultAccount = "default";

/** The calls of a day, and in which zone the day is counted. */
export interface DayRules {
  /**
   * Calls in a day of the upstream's calendar, both operations together. Each call compares it with the
   * count of all processes: a process never exceeds its own limit, whoever made the earlier calls, and
   * a changed limit takes effect with the process's first call.
   */
  dailyLimit: number;
  /** IANA zone in which the upstream's date changes. */
  timezone: string;
  /** Of each account; by default as many as one likes. */
  maxCallsPerSecond?: number;
  /**
   * Several accounts, each with a limit, a zone and a rate of its own: then `dailyLimit` is their sum and
   * `timezone` that of the first. By default there is one, with the rules above.
   */
  accounts?: readonly AccountRules[];
  /** When the jobs' cron expressions fire. Without it every job is open all day. */
  firesOf?: FiresOf;
}

export function accountsOf({ dailyLimit, timezone, accounts }: DayRules): readonly AccountRules[] {
  return accounts ?? [{ name: defaultAccount, dailyLimit, timezone }];
}

/** An account that the upstream refuses: it makes no call before `until`, then one to try. */
export interface AccountPause {
  until: Date;
  code: string;
  /** Refusals in a row; the pause grows with them. */
  failures: number;
  /** What happened, for people. */
  reason: string;
}

const prefix = "account_pause:";
const keyOf = (account: string) => `${prefix}${account}`;

export async function readAccountPauses(
  db: Db | Tx,
  names: readonly string[],
): Promise<Map<string, AccountPause>> {
  const rows = await db.execute<{ key: string; value: RowOf<AccountPause> }>(
    sql`select key, value from setting where key = any(${textList(names.map(keyOf))})`,
  );
  return new Map(
    rows.map(({ key, value }) => [
      key.slice(prefix.length),
      { ...value, until: new Date(value.until) },
    ]),
  );
}

export async function pauseAccount(
  tx: Tx,
  account: string,
  pause: AccountPause,
  now: Date,
): Promise<void> {
  await putSetting(tx, keyOf(account), pause, now);
}

/** The account has answered again. */
export async function endAccountPause(tx: Tx, account: string): Promise<void> {
  await tx.delete(setting).where(eq(setting.key, keyOf(account)));
}

/**
 * Whether a call may be reserved with the account: `free`, `paused`, or `try`, the one call after its
 * pause. Other calls wait for the outcome of a try, at most until `outcomeBy`.
 */
export async function enterAccount(
  tx: Tx,
  account: string,
  now: Date,
  outcomeBy: Date,
): Promise<"free" | "paused" | "try"> {
  const [row] = await tx.execute<{ until: string }>(sql`
    select value ->> 'until' as until from setting where key = ${keyOf(account)} for update`);
  if (!row) return "free";
  if (stillLasts(new Date(row.until), now)) return "paused";
  await tx.execute(sql`
    update setting set value = value || jsonb_build_object('until', ${outcomeBy.toISOString()}::text)
    where key = ${keyOf(account)}`);
  return "try";
}

/** Today of each account with `calls` made; null: nobody knows how many, so all that its limit allows. */
export function callsToday(now: Date, rules: DayRules, calls: number | null): CallsOfDay[] {
  return accountsOf(rules).map(({ name, dailyLimit, timezone }) => ({
    account: name,
    day: calendarDay(now, timezone),
    limit: dailyLimit,
    used: calls ?? dailyLimit,
  }));
}

/** No failure pauses calls for more than an hour; clocks of processes differ by less than another one. */
const longestMs = 2 * 3_600_000;

/** Whether a pause until then still lasts. What would last longer was begun while a clock was ahead. */
export function stillLasts(until: Date, now: Date): boolean {
  const leftMs = until.getTime() - now.getTime();
  return leftMs > 0 && leftMs <= longestMs;
}

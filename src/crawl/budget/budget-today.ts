import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { rowsOf } from "../../db/rows.ts";
import { calendarDay, dayStart, nextDayStart } from "../../lib/calendar.ts";
import { must } from "../../lib/must.ts";
import {
  accountsOf,
  readAccountPauses,
  stillLasts,
  type AccountPause,
  type AccountRules,
  type DayRules,
} from "./accounts.ts";
import { type Purpose, notSent } from "./call-log.ts";

interface Spent {
  used: number;
  byPurpose: Record<Purpose, number>;
  refusedAt: Date | null;
}

/** An account's present day; zeros before its first call. */
export interface AccountDay extends Spent {
  account: AccountRules;
  /** YYYY-MM-DD, in the account's zone. */
  day: string;
  /** The upstream refuses the account until then; null: it does not. */
  pause: AccountPause | null;
  /** Calls that can be made now: none after a refusal. */
  remaining: number;
  startsAt: Date;
  resetsAt: Date;
}

export async function readAccountDays(db: Db, now: Date, rules: DayRules): Promise<AccountDay[]> {
  const accounts = accountsOf(rules);
  const names = accounts.map(({ name }) => name);
  const days = accounts.map(({ name, timezone }) => ({
    account: name,
    day: calendarDay(now, timezone),
  }));
  const rows = await db.execute<
    { account: string; used: number; refused_at: string | null } & Record<Purpose, number>
  >(sql`
    select account, b.used, b.discovery, b.revalidation, b.on_demand, b.refused_at
    from ${rowsOf("budget_day", days)} d join budget_day b using (account, day)`);
  const pauses = accounts.length > 1 ? await readAccountPauses(db, names) : null;
  return accounts.map((account, i) => {
    const row = rows.find((found) => found.account === account.name);
    const { discovery = 0, revalidation = 0, on_demand = 0, used = 0 } = row ?? {};
    const refusedAt = row?.refused_at ? new Date(row.refused_at) : null;
    const pause = pauses?.get(account.name) ?? null;
    const isClosed = refusedAt !== null || (pause !== null && stillLasts(pause.until, now));
    return {
      account,
      day: must(days[i], "a day for each account").day,
      used,
      byPurpose: { discovery, revalidation, on_demand },
      refusedAt,
      pause,
      remaining: isClosed ? 0 : Math.max(0, account.dailyLimit - used),
      startsAt: dayStart(now, account.timezone),
      resetsAt: nextDayStart(now, account.timezone),
    };
  });
}

export interface AccountToday extends AccountDay {
  /** Calls to expect today: fewer than the limit if the upstream has ended a day early. */
  expected: number;
  observedLimit: ObservedLimit | null;
}

/** The sum of all accounts; day and zone are those of the first. */
export interface BudgetToday extends Spent {
  day: string;
  timezone: string;
  resetsAt: Date;
  /** As configured in this process now. */
  limit: number;
  remaining: number;
  expected: number;
  observedLimit: ObservedLimit | null;
  accounts: AccountToday[];
}

/** Today in the calendar of each account. Refused: every account is. */
export async function readBudget(db: Db, now: Date, rules: DayRules): Promise<BudgetToday> {
  const days = await readAccountDays(db, now, rules);
  const accounts = await Promise.all(
    days.map(async (today): Promise<AccountToday> => {
      const observedLimit = await readObservedLimit(db, today.account.name, today.day);
      return {
        ...today,
        expected: toExpected(today.account.dailyLimit, observedLimit),
        observedLimit,
      };
    }),
  );
  const { day, account, resetsAt } = must(accounts[0], "an account");
  const sum = (of: (today: AccountToday) => number) =>
    accounts.reduce((total, today) => total + of(today), 0);
  const refusals = accounts.flatMap(({ refusedAt }) => refusedAt ?? []);
  return {
    day,
    timezone: account.timezone,
    resetsAt,
    limit: sum((today) => today.account.dailyLimit),
    used: sum(({ used }) => used),
    byPurpose: {
      discovery: sum(({ byPurpose }) => byPurpose.discovery),
      revalidation: sum(({ byPurpose }) => byPurpose.revalidation),
      on_demand: sum(({ byPurpose }) => byPurpose.on_demand),
    },
    remaining: sum(({ remaining }) => remaining),
    expected: sum(({ expected }) => expected),
    observedLimit: accounts.find((today) => today.observedLimit)?.observedLimit ?? null,
    refusedAt:
      refusals.length === accounts.length
        ? new Date(Math.max(...refusals.map((at) => at.getTime())))
        : null,
    accounts,
  };
}

/** A day of the upstream's calendar that it ended early (`day_api_limit`), and the calls it allowed. */
export interface ObservedLimit {
  day: string;
  allowed: number;
}

/** An observed limit that no later day has tested is trusted for so many days. */
const believedDays = 30;

/**
 * The latest day of the account that the upstream ended early and its calls, from the ledger; null if there was none,
 * or if a later day allowed more. A day of which every call was refused tells of no limit: the upstream's date had not
 * changed yet. `today`: YYYY-MM-DD.
 */
export async function readObservedLimit(
  db: Db,
  account: string,
  today: string,
): Promise<ObservedLimit | null> {
  const [row] = await db.execute<{ day: string; allowed: number }>(sql`
    with refused as (
      select day, greatest(1, used - (
        select count(*) from api_call c
        where c.day = b.day and c.account = b.account and c.outcome in ('day_api_limit', ${notSent}))) as allowed
      from budget_day b
      where account = ${account} and refused_at is not null and day > ${today}::date - ${believedDays}::int and day <= ${today}
        and (select coalesce(bool_or(c.outcome is distinct from 'day_api_limit' and c.outcome is distinct from ${notSent}), true)
          from api_call c where c.day = b.day and c.account = b.account)
      order by day desc limit 1)
    select day::text, allowed from refused r
    where not exists (
      select from budget_day later
      where later.account = ${account} and later.day > r.day and refused_at is null and later.used > r.allowed)`);
  return row ?? null;
}

/**
 * The calls to expect a day. A little more than the observed limit is tried: so it is forgotten once it
 * no longer holds, and the day's pace suffers little while it holds.
 */
export function toExpected(limit: number, observedLimit: ObservedLimit | null): number {
  return observedLimit === null
    ? limit
    : Math.min(limit, Math.ceil(observedLimit.allowed * 1.05) + 1);
}

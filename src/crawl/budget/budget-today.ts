import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { calendarDay, dayStart, nextDayStart } from "../../lib/calendar.ts";
import { must } from "../../lib/must.ts";
import {
  accountsOf,
  readAccountPauses,
  type AccountPause,
  type AccountRules,
  type DayRules,
} from "./accounts.ts";
import type { Purpose } from "./call-log.ts";
import { readObservedLimit, toExpected, type ObservedLimit } from "./observed-limit.ts";

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
    select account, used, discovery, revalidation, on_demand, refused_at
    from json_to_recordset(${JSON.stringify(days)}::text::json) as d (account text, day date)
    join budget_day using (account, day)`);
  const pauses = accounts.length > 1 ? await readAccountPauses(db, names) : null;
  return accounts.map((account, i) => {
    const row = rows.find((found) => found.account === account.name);
    const { discovery = 0, revalidation = 0, on_demand = 0, used = 0 } = row ?? {};
    const refusedAt = row?.refused_at ? new Date(row.refused_at) : null;
    const pause = pauses?.get(account.name) ?? null;
    const isClosed = refusedAt !== null || (pause !== null && pause.until > now);
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

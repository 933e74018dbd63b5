import { z } from "zod";
import { calendarDay } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import { type Journal, createRecords } from "../state/journal.ts";

export const searchOperations = ["search", "refresh"] as const;
export type SearchOperation = (typeof searchOperations)[number];

/** An account of Search: its credentials, and the calls of its day. */
export interface SearchAccount {
  name: string;
  clientId: string;
  clientSecret: string;
  dailyLimit: number;
  /** IANA zone in which its date changes. */
  timezone: string;
}

/** One call as it arrived. */
interface CallRecord {
  /** ISO instant by the sandbox's clock, and the calendar day it falls on. */
  at: string;
  day: string;
  operation: SearchOperation;
  /** As received, without credentials. */
  params: Record<string, string>;
  /** Whether it counts towards the daily limit, that is, its credentials were right. */
  counted: boolean;
  /** `ok`, an error code, or `fault:` and the name of the fault that was played. */
  outcome: string;
  asked: number[];
  returned: number[];
}

const mostCallsKept = 50_000;

export type CallLog = ReturnType<typeof createCallLog>;

/**
 * The access log and the daily limit: the truth about what a crawler has spent. The records of the first
 * account have the name that those of the only one had in earlier versions.
 */
export function createCallLog(options: {
  journal: Journal;
  clock: Clock;
  accounts: readonly SearchAccount[];
}) {
  const { clock } = options;
  const first = must(options.accounts[0], "an account");
  const byName = new Map(
    options.accounts.map((account) => {
      const kind = account === first ? "search-calls" : `search-calls ${account.name}`;
      const counted = createRecords(options.journal, kind, z.int());
      return [account.name, { ...account, counted }];
    }),
  );
  const accountOf = (name = first.name) => must(byName.get(name), "a known account");
  let calls: CallRecord[] = [];
  return {
    /** Counts an authenticated call of the account; false when its day's limit was reached before it. */
    admit(account: string): boolean {
      const { counted, timezone, dailyLimit } = accountOf(account);
      const day = calendarDay(clock.now(), timezone);
      const used = counted.get(day) ?? 0;
      counted.put(day, used + 1);
      return used < dailyLimit;
    },
    record(call: Omit<CallRecord, "at" | "day">): void {
      const now = clock.now();
      calls.push({ at: now.toISOString(), day: calendarDay(now, first.timezone), ...call });
      if (calls.length >= 2 * mostCallsKept) calls = calls.slice(-mostCallsKept);
    },
    /** The last 50,000, oldest first. */
    all: (): readonly CallRecord[] => calls.slice(-mostCallsKept),
    /** Counted calls of the account by its calendar day, refused ones included; by default of the first account. */
    countedByDay: (account?: string): Record<string, number> =>
      Object.fromEntries(accountOf(account).counted.entries()),
    dailyLimit: () => accountOf().dailyLimit,
    setDailyLimit(limit: number): void {
      accountOf().dailyLimit = limit;
    },
  };
}

import { z } from "zod";
import { calendarDay } from "../lib/calendar.ts";
import type { Clock } from "../lib/clock.ts";
import { createShelf } from "./state/shelf.ts";
import type { Journal } from "./state/journal.ts";

export type SearchOperation = "search" | "refresh";

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

const MOST_CALLS_KEPT = 50_000;

/** The access log and the daily limit: the truth about what a crawler has spent. */
export interface CallLog {
  /** Counts an authenticated call; false when the day's limit was reached before it. */
  admit(): boolean;
  record(call: Omit<CallRecord, "at" | "day">): void;
  /** The last 50,000, oldest first. */
  all(): readonly CallRecord[];
  /** Counted calls by calendar day, refused ones included. */
  countedByDay(): Record<string, number>;
  dailyLimit(): number;
  setDailyLimit(limit: number): void;
}

export function createCallLog(options: {
  journal: Journal;
  clock: Clock;
  timezone: string;
  dailyLimit: number;
}): CallLog {
  const { clock, timezone } = options;
  const counted = createShelf(options.journal, "search-calls", z.int());
  let calls: CallRecord[] = [];
  let dailyLimit = options.dailyLimit;
  return {
    admit() {
      const day = calendarDay(clock.now(), timezone);
      const used = counted.get(day) ?? 0;
      counted.put(day, used + 1);
      return used < dailyLimit;
    },
    record(call) {
      const now = clock.now();
      calls.push({ at: now.toISOString(), day: calendarDay(now, timezone), ...call });
      if (calls.length >= 2 * MOST_CALLS_KEPT) calls = calls.slice(-MOST_CALLS_KEPT);
    },
    all: () => calls.slice(-MOST_CALLS_KEPT),
    countedByDay: () => Object.fromEntries(counted.entries()),
    dailyLimit: () => dailyLimit,
    setDailyLimit(limit) {
      dailyLimit = limit;
    },
  };
}

import { dayStart, nextDayStart } from "../../lib/calendar.ts";
import { accountsOf, type DayRules } from "./accounts.ts";
import type { JobRecord } from "./jobs.ts";
import { openMs, windowsBetween } from "./open-time.ts";

const DAYS_AHEAD = 7;

/** How many calls the windows of each of the next seven days leave time for, at the highest rate. */
export function callsInWindows(jobs: readonly JobRecord[], rules: DayRules, now: Date): number[] {
  let from = dayStart(now, rules.timezone);
  const perSecond = accountsOf(rules).reduce(
    (sum, account) => sum + (account.maxCallsPerSecond ?? rules.maxCallsPerSecond ?? Infinity),
    0,
  );
  return Array.from({ length: DAYS_AHEAD }, () => {
    const until = nextDayStart(from, rules.timezone);
    const open = windowsBetween(jobs, rules.firesOf, from, until);
    const ms = openMs(open, from.getTime(), until.getTime());
    from = until;
    return ms > 0 ? (ms / 1000) * perSecond : 0;
  });
}

/** The calls of a day that can be made, as the mean of these days. */
export function meanCalls(callsPerDay: number, inWindows: readonly number[]): number {
  const sum = inWindows.reduce((total, most) => total + Math.min(callsPerDay, most), 0);
  return sum / inWindows.length;
}

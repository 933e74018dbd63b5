import type { CallsOfDay } from "../../db/backup.ts";
import { calendarDay } from "../../lib/calendar.ts";
import { accountsOf, type DayRules } from "./accounts.ts";

/** Today of each account with `calls` made; null: nobody knows how many, so all that its limit allows. */
export function callsToday(now: Date, rules: DayRules, calls: number | null): CallsOfDay[] {
  return accountsOf(rules).map(({ name, dailyLimit, timezone }) => ({
    account: name,
    day: calendarDay(now, timezone),
    limit: dailyLimit,
    used: calls ?? dailyLimit,
  }));
}

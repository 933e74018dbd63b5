import { z } from "zod";
import { calendarDay } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Journal, createRecords } from "../state/journal.ts";

const usageRecord = z.object({
  /** Unix milliseconds of the hour's minute 00, and calls since. */
  hour: z.int(),
  inHour: z.int(),
  day: z.string(),
  inDay: z.int(),
});

/** Section 8. */
export interface UserLimits {
  hour: number;
  day: number;
}

export type Usage = ReturnType<typeof createUsage>;

export function createUsage(options: {
  journal: Journal;
  clock: Clock;
  timezone: string;
  limits: UserLimits;
}) {
  const { clock, timezone, limits } = options;
  const users = createRecords(options.journal, "usage", usageRecord);
  // Not hours of UTC, because some zones are shifted by half an hour.
  const minutes = new Intl.DateTimeFormat("en-US", { timeZone: timezone, minute: "numeric" });
  const hourOf = (now: Date) => {
    const minuteMs = Math.floor(now.getTime() / 60_000) * 60_000;
    return minuteMs - Number(minutes.format(now)) * 60_000;
  };
  return {
    /** Counts a call of this user, unless a limit refuses it. */
    admit(user: string): "admitted" | "hour_api_limit" | "day_api_limit" {
      const now = clock.now();
      const [hour, day] = [hourOf(now), calendarDay(now, timezone)];
      const last = users.get(user);
      const inHour = last?.hour === hour ? last.inHour : 0;
      const inDay = last?.day === day ? last.inDay : 0;
      if (inDay >= limits.day) return "day_api_limit";
      if (inHour >= limits.hour) return "hour_api_limit";
      users.put(user, { hour, inHour: inHour + 1, day, inDay: inDay + 1 });
      return "admitted";
    },
  };
}

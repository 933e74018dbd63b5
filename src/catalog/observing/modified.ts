import { dayMs } from "../../lib/calendar.ts";

export const year2000Ms = 946_684_800_000;

/**
 * Converts an upstream `modified` to an instant. Its unit is not specified, so the range decides:
 * seconds or milliseconds since 1970 that lie between 2000 and a day from now; null otherwise.
 */
export function toModifiedAt(modified: number, now: Date): Date | null {
  const latestMs = now.getTime() + dayMs;
  for (const ms of [modified * 1000, modified]) {
    if (ms >= year2000Ms && ms <= latestMs) return new Date(ms);
  }
  return null;
}

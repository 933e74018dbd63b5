const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** Before each attempt, counted from the failure before it. */
const pausesMs = [
  0,
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];

/** After so many failed attempts a delivery is a dead letter. */
export const mostAttempts = pausesMs.length;
/** An endpoint that asks for a longer pause gets this one. */
export const longestRetryAfterMs = 24 * hours;
/** An endpoint that fails for so long, without one success, is disabled. */
export const failingDisablesMs = 5 * 24 * hours;
/** ... and with a message of at least this age: where messages are rare, the failures of before may be months ago. */
export const messageFailsMs = 24 * hours;

/**
 * Milliseconds from the failure of attempt number `attempts` (from 1) until the next one; null: there is
 * none. A tenth of jitter spreads what failed at one moment. What an endpoint asks for only makes it longer.
 */
export function pauseAfter(
  attempts: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const pause = pausesMs[attempts];
  if (pause === undefined) return null;
  const askedMs = Math.min(retryAfterMs ?? 0, longestRetryAfterMs);
  return Math.max(Math.round(pause * (1 + 0.1 * random())), askedMs);
}

/** The value of a `Retry-After`: seconds or an HTTP date; null for anything else. */
export function toRetryAfterMs(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * seconds;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

/** No failure pauses calls for more than an hour; clocks of processes differ by less than another one. */
const LONGEST_MS = 2 * 3_600_000;

/** Whether a pause until then still lasts. What would last longer was begun while a clock was ahead. */
export function stillLasts(until: Date, now: Date): boolean {
  const leftMs = until.getTime() - now.getTime();
  return leftMs > 0 && leftMs <= LONGEST_MS;
}

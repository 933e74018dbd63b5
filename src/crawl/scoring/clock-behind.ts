/** Clocks may differ by so much, in days. */
export const skew = 2 / 1440;

/** How listed moments of an upstream whose clock is behind become ours: `listed` is our `at`, one of its days `pace` of ours. */
export interface ClockBehind {
  listed: number;
  at: number;
  pace: number;
}

/** Our moment of a listed one. */
export function toOurs(behind: ClockBehind | undefined, listed: number): number {
  return behind ? behind.at + (listed - behind.listed) * behind.pace : listed;
}

/**
 * A change that was not on the first page read at `until`, bears an earlier moment than that, and a later one than all that
 * were on it, tells that the upstream's clock is behind. `news`: listed moments of the changes on the first page read
 * `at`; `known`: the newest one that was listed on the page before it. All in days.
 */
export function clockBehind({
  news,
  known,
  until,
  at,
}: {
  news: readonly number[];
  known: number;
  until: number;
  at: number;
}): ClockBehind | undefined {
  const isBehind = news.some((moment) => moment > known && moment < until - skew);
  if (!isBehind || at <= until) return undefined;
  const newest = Math.max(...news);
  return { listed: newest, at, pace: (at - until) / (newest - known) };
}

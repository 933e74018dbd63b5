export interface PaceState {
  now: Date;
  /** End of the upstream's day. */
  resetsAt: Date;
  remaining: number;
  lastCallAt: Date | null;
}

/** A last call further ahead was reserved by a process whose clock is wrong: it tells nothing of the pace. */
const LONGEST_QUEUE_MS = 60_000;

/**
 * When the next call may go out under smooth pacing: what remains of the day's calls is spread
 * evenly over what remains of the day, so downtime and bursts are absorbed without any state of
 * its own. A restart goes on where the ledger stands.
 */
export function nextSmoothCallAt(state: PaceState): Date {
  const { now, resetsAt, remaining, lastCallAt } = state;
  if (remaining <= 0) return resetsAt;
  if (!lastCallAt || lastCallAt.getTime() > now.getTime() + LONGEST_QUEUE_MS) return now;
  const gapMs = Math.max(0, resetsAt.getTime() - now.getTime()) / remaining;
  return new Date(Math.max(now.getTime(), lastCallAt.getTime() + gapMs));
}

export interface PaceState {
  now: Date;
  /** End of the upstream's day. */
  resetsAt: Date;
  remaining: number;
  lastCallAt: Date | null;
}

/** A last call further in the future was reserved by a process with a wrong clock: it is ignored. */
const LONGEST_QUEUE_MS = 60_000;

/**
 * When the next call may go out under smooth pacing: the rest of the day's calls is spread evenly over
 * the rest of the day. No state is kept, so the pace recovers from downtime, bursts and restarts.
 */
export function nextSmoothCallAt(state: PaceState): Date {
  const { now, resetsAt, remaining, lastCallAt } = state;
  if (remaining <= 0) return resetsAt;
  if (!lastCallAt || lastCallAt.getTime() > now.getTime() + LONGEST_QUEUE_MS) return now;
  const gapMs = Math.max(0, resetsAt.getTime() - now.getTime()) / remaining;
  return new Date(Math.max(now.getTime(), lastCallAt.getTime() + gapMs));
}

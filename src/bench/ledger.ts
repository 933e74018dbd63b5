/**
 * The day's budget in memory, by the rules and the pace of the ledger in Postgres: it refuses what the
 * upstream would refuse, and tells how far time may jump. Moments in days.
 */
export interface Ledger {
  /** When the next call may go out. */
  nextAt(now: number): number;
  /** Counts one call; false: the upstream refused it, and the day is over. */
  take(now: number): boolean;
}

/** `refusedFrom`: the upstream's own limit, when it is lower than the one agreed. */
export function createLedger(options: {
  callsPerDay: number;
  dayStart: number;
  refusedFrom?: number | undefined;
}): Ledger {
  const { callsPerDay, dayStart, refusedFrom = Infinity } = options;
  let day = NaN;
  let used = 0;
  let refused = false;
  let lastCall: number | null = null;
  /** Calls the day is expected to have: where the day before was refused, what it had given. */
  let expected = callsPerDay;

  function open(now: number): number {
    const today = Math.floor(now - dayStart);
    if (today !== day) {
      if (Number.isFinite(day)) expected = refused ? Math.max(1, used) : callsPerDay;
      day = today;
      used = 0;
      refused = false;
    }
    return today + 1 + dayStart;
  }

  return {
    nextAt(now) {
      const resetsAt = open(now);
      if (refused || used >= callsPerDay) return resetsAt;
      if (lastCall === null) return now;
      const planned = used < expected ? expected : callsPerDay;
      const remaining = planned - used;
      // The crawl asks `nextSmoothCallAt` again and again; this is when it first says "now".
      return Math.max(now, (resetsAt + remaining * lastCall) / (remaining + 1));
    },
    take(now) {
      open(now);
      if (used >= refusedFrom) {
        refused = true;
        return false;
      }
      used += 1;
      lastCall = now;
      return true;
    },
  };
}

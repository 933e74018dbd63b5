/**
 * The day's budget in memory, by the rules and the pace of the ledger in Postgres. It refuses the calls
 * that the upstream would refuse, and says how far time may jump. Moments are in days. `refusedFrom`: the
 * upstream's own limit, when it is lower than the one agreed.
 */
export function createLedger(options: {
  callsPerDay: number;
  dayStart: number;
  refusedFrom?: number | undefined;
}) {
  const { callsPerDay, dayStart, refusedFrom = Infinity } = options;
  let day = NaN;
  let used = 0;
  let refused = false;
  let lastCall: number | null = null;
  /** Expected calls of the day: those that the day before allowed, if it was refused. */
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
    /** When the next call may go out. */
    nextAt(now: number): number {
      const resetsAt = open(now);
      if (refused || used >= callsPerDay) return resetsAt;
      if (lastCall === null) return now;
      const planned = used < expected ? expected : callsPerDay;
      const remaining = planned - used;
      // The crawl calls `nextSmoothCallAt` again and again; this is when it first returns "now".
      return Math.max(now, (resetsAt + remaining * lastCall) / (remaining + 1));
    },
    /** Counts one call; false: the upstream refused it, and the day is over. */
    take(now: number): boolean {
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

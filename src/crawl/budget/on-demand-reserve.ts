/** The part of a day's calls that is kept for refresh on demand until the day is over. */
export interface ReserveState {
  /** Calls of the whole day. */
  limit: number;
  usedOnDemand: number;
  /** Of the limit, 0 to 1. */
  share: number;
  /** How much of the upstream's day has passed, 0 to 1. */
  dayFraction: number;
}

/**
 * Calls that ordinary jobs must leave untouched now. The unspent slice flows back to them linearly,
 * so that at the day's end nothing was kept for nobody; what was spent early is not kept again.
 */
export function reservedNow(state: ReserveState): number {
  const slice = state.limit * state.share;
  const notFlownBack = slice * (1 - clamped(state.dayFraction));
  return Math.max(0, Math.floor(Math.min(slice - state.usedOnDemand, notFlownBack)));
}

export interface SplitState extends ReserveState {
  /** Calls of the day, of whatever purpose. */
  used: number;
  /** Calls that can still be made; 0 once the upstream refused. */
  remaining: number;
}

export interface Split {
  /** Calls left for ordinary jobs, and for refresh on demand; the two overlap in what is free. */
  ordinary: number;
  onDemand: number;
}

/**
 * Divides what remains of the day. Refresh on demand may have the slice, and besides it what is
 * free: the calls by which the day lies behind an even pace, which nobody else has wanted so far.
 */
export function splitBudget(state: SplitState): Split {
  const reserved = Math.min(state.remaining, reservedNow(state));
  const free = Math.max(0, Math.floor(state.limit * clamped(state.dayFraction)) - state.used);
  return {
    ordinary: state.remaining - reserved,
    onDemand: Math.min(state.remaining, reserved + free),
  };
}

function clamped(fraction: number): number {
  return Math.min(1, Math.max(0, fraction));
}

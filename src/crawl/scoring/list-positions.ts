import { countEach } from "../../lib/collect.ts";

/**
 * Changes listed, and in how many days: how fast pages move down. `squares`: of the numbers of changes that came within
 * minutes, because an import of many says little of the next hour. Fading.
 */
export interface Flow {
  items: number;
  squares: number;
  days: number;
}

/** A flow seen for less time is doubted. */
const leastFlowDays = 0.05;
/** Changes within so many days may be of one import. */
const importDays = 10 / 1440;

/** Items that come to the top within `days`; rather too few, so that no item is left out. */
export function countComing(flow: Flow, days: number): number {
  const seenDays = flow.days + leastFlowDays;
  const share = Math.max(0, days) / seenDays;
  // So large would the sum be if as many came every minute.
  const even = flow.items ** 2 * (importDays / seenDays);
  const squares = Math.max(flow.items, flow.squares - even);
  // Both the number and the rate that it is expected from are uncertain.
  const deviation = Math.sqrt(squares * share * (1 + share));
  return Math.max(0, Math.floor(flow.items * share - deviation));
}

/** Of the numbers of changes that may be of one import. */
export function sumOfSquares(moments: readonly number[]): number {
  const counts = countEach(moments.map((moment) => Math.floor(moment / importDays))).values();
  return [...counts].reduce((sum, count) => sum + count * count, 0);
}

/** Where a position was before so many items came to the top. */
export function movedBack(start: number, items: number, found: number): number {
  const below = Math.max(0, found - start);
  return found > 0 ? Math.max(0, Math.round(start + below * -Math.expm1(items / found))) : start;
}

/** A position moves down only for items that come from below it, which the fewer are the lower it is. */
export function movedTo(start: number, items: number, found: number): number {
  const below = Math.max(0, found - start);
  return start + (found > 0 ? Math.round(below * -Math.expm1(-items / found)) : 0);
}

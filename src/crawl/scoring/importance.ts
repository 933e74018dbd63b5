/** Nothing is worth less than this: what nobody looks at is still checked in its turn. */
const FLOOR = 0.2;

/**
 * Importance of a product, its weight in all that the planner adds up: a floor, its place in the
 * upstream's order of order counts (0 is the most ordered; null: never seen there), and what our own
 * users look at (`demand`: impressions and opens, decayed).
 */
export function importance(rank: number | null, demand: number): number {
  const ordered = rank === null ? 0.3 : 4 / (1 + rank / 20) ** 0.7;
  return FLOOR + ordered + Math.min(20, demand);
}

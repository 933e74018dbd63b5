/** The least importance: products that nobody opens are still checked. */
const floor = 0.2;

/**
 * The importance of a product is its weight in all sums of the planner: a minimum, its rank in the
 * upstream's order by order count (0 is the most ordered; null: never seen there), and our users'
 * interest (`demand`: impressions and opens, decayed).
 */
export function importance(rank: number | null, demand: number): number {
  const ordered = rank === null ? 0.3 : 4 / (1 + rank / 20) ** 0.7;
  return floor + ordered + Math.min(20, demand);
}

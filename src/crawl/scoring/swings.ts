import type { Swings } from "../../db/schema.ts";

/** What is kept of older moves at each new one: some hundred of them count. */
const keep = 0.99;

/** `before`, `found`: what an answer of the keyword says it finds, and the one before it; null: nothing was told. */
export function addMove(
  swings: Swings | undefined,
  before: number | null,
  found: number | null,
): Swings | undefined {
  if (before === null || found === null) return swings;
  const { last, squares, fourths, opposed } = swings ?? noSwings;
  const move = found - before;
  return {
    last: move,
    squares: keep * squares + move ** 2,
    fourths: keep * fourths + move ** 4,
    opposed: keep * opposed - last * move,
  };
}

const noSwings: Swings = { last: 0, squares: 0, fourths: 0, opposed: 0 };

/**
 * How much of a fall of the number found is believed to be deletions, 0 to 1. A number that only swings about what there
 * really is moves against its last move, on the mean by half of its squares (Roll's measure of the spread between the
 * prices of a market); moves by products that come and go are independent of each other. What moves as few as these
 * show by chance is believed.
 */
export function believedPart(swings: Swings | undefined): number {
  const { squares, fourths, opposed } = swings ?? noSwings;
  const moves = squares ** 2 / fourths;
  const byChance = 3 / Math.sqrt(moves);
  // What cannot be read, or was never moved, says nothing.
  if (!(byChance < 1)) return 1;
  const swinging = ((2 * opposed) / squares - byChance) / (1 - byChance);
  return swinging > 0 ? 1 - Math.min(1, swinging) : 1;
}

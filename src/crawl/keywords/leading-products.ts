import { sql } from "drizzle-orm";
import { toModifiedAt } from "../../catalog/observing/modified.ts";
import { anyId } from "../../db/lists.ts";
import type { Tx } from "../../db/open.ts";
import type { ItemStats } from "../scoring/scoring.ts";
import type { Answer } from "./keyword-call.ts";

/** An upstream's clock is not so far ahead. */
const YEAR_MS = 365 * 86_400_000;
/** Of the sampled products so many are looked at. */
const LOOKED_AT = 50;

/**
 * Positions at the top of the list whose `modified` lies far in the future, so that no change comes above them; 0 where
 * a page from their end on shows none of them any more, or where no other `modified` tells a moment.
 */
export async function countLed(
  tx: Tx,
  { page, sighting: { sentAt } }: Answer,
  { start, sample }: { start: number; sample: readonly ItemStats[] },
): Promise<number> {
  const isTold = (modified: number) => toModifiedAt(modified, sentAt) !== null;
  const latest = sentAt.getTime() + YEAR_MS;
  const leading = page.items.filter(
    ({ modified }) => modified * 1000 > latest && !isTold(modified),
  ).length;
  if (leading === 0) return 0;
  if (leading === page.items.length) {
    const ids = sample.slice(0, LOOKED_AT).map(({ itemId }) => itemId);
    const others = await tx.execute<{ modified: number }>(sql`
      select modified from product where item_id = ${anyId(ids)}`);
    if (!others.some(({ modified }) => isTold(modified))) return 0;
  }
  return start + leading;
}

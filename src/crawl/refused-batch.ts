import { sql } from "drizzle-orm";
import type { Tx } from "../db/open.ts";
import type { Batch } from "./revalidation.ts";
import type { Reason } from "./reason.ts";

export interface RefusedBatches {
  /** The next part of a refused batch to ask for on its own; null when there is none. */
  next(): Batch | null;
  /** The part is being asked for. */
  taken(batch: Batch): void;
  /**
   * Divides a refused batch, whose parts are asked for next. Answers the ids that are not asked for
   * again for now: a single one is what was refused, and beyond the allowance all are left.
   */
  divide(batch: Batch): readonly number[];
}

/** Calls that the search in one batch may cost: enough for two refused ids among 50. */
const ALLOWANCE = 24;

/**
 * One id that the upstream cannot bear must not keep the 49 others from being looked at: a refused
 * batch is halved until the id stands alone. Kept in memory: after a restart the batch is simply due.
 */
export function createRefusedBatches(): RefusedBatches {
  const parts: Batch[] = [];
  const allowances = new WeakMap<Batch, { calls: number }>();
  const divided = new WeakSet<Batch>();

  return {
    next: () => parts[0] ?? null,
    taken(batch) {
      const place = parts.indexOf(batch);
      if (place >= 0) parts.splice(place, 1);
    },
    divide(batch) {
      const { itemIds, shopId } = batch;
      if (itemIds.length === 1) return itemIds;
      // A transaction that is run again must not divide again.
      if (divided.has(batch)) return [];
      const allowance = allowances.get(batch) ?? { calls: ALLOWANCE };
      if (allowance.calls < 2) return itemIds;
      allowance.calls -= 2;
      divided.add(batch);
      const middle = Math.ceil(itemIds.length / 2);
      for (const half of [itemIds.slice(0, middle), itemIds.slice(middle)]) {
        const why: Reason = {
          code: "refused_together",
          shopId,
          products: half.length,
          of: itemIds.length,
        };
        const part = { ...batch, itemIds: half, worth: Infinity, why };
        allowances.set(part, allowance);
        parts.push(part);
      }
      return [];
    },
  };
}

/** Ops see which id it is that the upstream refuses. */
export async function quarantineRefused(
  tx: Tx,
  call: { callId: number; itemId: number; message: string; at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into quarantine (call_id, item_id, reason, raw, seen_at)
    values (${call.callId}, ${call.itemId}, ${call.message}, '', ${call.at.toISOString()})`);
}

import { sql } from "drizzle-orm";
import { toModifiedAt } from "../../catalog/observing/modified.ts";
import type { Observed } from "../../catalog/sighting.ts";
import { idList } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import { toDays } from "../scoring/days.ts";
import type { Evidence } from "../scoring/rate-estimate.ts";

/** What learning starts from: the evidence so far, and the keyword that shows the product. */
export interface Schedule {
  evidence: Evidence;
  /** As at its last check; its evidence was gathered at a rate of so many times the mean of its shop. */
  factor: number;
  lossFactor: number;
  queryId: number | null;
  /** Since when it is shown; null: unknown. */
  appearedAt: number | null;
  isFirst: boolean;
}

/** Of a product that is new, or comes back after it was deleted. */
export function firstSchedule({ fate, modified }: Observed, now: Date): Schedule {
  // A keyword that is new itself shows products that have been there for long.
  const modifiedAt = fate === "created" ? toModifiedAt(modified, now) : null;
  return {
    evidence: { changes: 0, days: 0 },
    factor: 1,
    lossFactor: 1,
    queryId: null,
    appearedAt: toDays(modifiedAt ?? now),
    isFirst: true,
  };
}

export async function readSchedules(
  tx: Tx,
  itemIds: readonly number[],
): Promise<ReadonlyMap<number, Schedule>> {
  const rows = await tx.execute<{
    item_id: number;
    rate_changes: number;
    rate_days: number;
    rate_factor: number;
    loss_factor: number;
    query_id: number | null;
    appeared_at: string | null;
  }>(sql`
    select item_id, rate_changes, rate_days, rate_factor, loss_factor, query_id, appeared_at from product_schedule
    where item_id in ${idList(itemIds)}`);
  return new Map(
    rows.map((row) => [
      row.item_id,
      {
        evidence: { changes: row.rate_changes, days: row.rate_days },
        factor: row.rate_factor,
        lossFactor: row.loss_factor,
        queryId: row.query_id,
        appearedAt: row.appeared_at === null ? null : toDays(new Date(row.appeared_at)),
        isFirst: false,
      },
    ]),
  );
}

/** Other fields than price and stock may differ in every answer, as addresses of pictures with a token do. */
export function isDifferent({ before, ...now }: Observed): boolean {
  if (before === null) return true;
  const isUpdated = now.differs && now.modified !== before.modified;
  return isUpdated || now.price !== before.price || now.stock !== before.stock;
}

/**
 * A new `modified` without any difference: the product has changed and changed back, or its shop updates products that
 * did not change, as some do every night. Taken for what most products of its keyword's list are seen to do.
 */
export function hasChanged(one: Observed, changedShare: number): boolean {
  const isUpdated = one.before !== null && one.modified !== one.before.modified;
  return isDifferent(one) || (isUpdated && changedShare === 1);
}

import { batchSize } from "../scoring/scoring.ts";
import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { Db } from "../../db/open.ts";
import type { RefreshPage } from "../../storefront/product.ts";
import type { RefreshCall } from "../safety/planned-call.ts";
import {
  markTried,
  settleRequests,
  settleWithoutCall,
  type RefreshOutcome,
} from "./refresh-requests.ts";
import type { Batch } from "./batches.ts";

/**
 * Refreshes that users asked for. All open requests of one shop share a call; its other places go to the
 * shop's most overdue products. `toRefresh` makes it a call like any other refresh, with the same learning
 * and deletions. Open requests stay in Postgres: a crash or a failed call only costs the callers time.
 * Returns what makes the call for the requests that have waited longest; null if there are none.
 */
export function createOnDemand(
  db: Db,
  toRefresh: (batch: Batch) => RefreshCall,
): (now: Date) => Promise<RefreshCall | null> {
  const busy = new Set<number>();

  /**
   * A request that was already part of a call waits for the proof that its shop is empty. Backoffs hold
   * here as for every other job: if a shop's last call failed, no other products are added, and a
   * product that fails alone is requested alone.
   */
  async function pick(now: Date): Promise<Batch | null> {
    const at = now.toISOString();
    const idle = sql`c.item_id not in ${idList([...busy])}`;
    const rows = await db.execute<{ item_id: number; shop_id: string; is_asked: boolean }>(sql`
      with waiting as (
        select c.item_id, c.shop_id, r.due_at, coalesce(b.isolated, false) as isolated
        from refresh_request r join product_schedule c using (item_id)
        left join backoff b on b.kind = 'product' and b.key = c.item_id::text
        where r.done_at is null and r.call_id is null and ${idle}
          and c.checked_at not between r.requested_at and ${at}::timestamptz + interval '1 minute'
          and (b.isolated is not true or b.retry_at <= ${at})
          and not exists (
            select from backoff s
            where s.kind = 'shop' and s.key = c.shop_id and s.retry_at > ${at})
      ), first as (
        select * from waiting where due_at <= ${at} order by due_at limit 1
      ), asked as (
        select w.item_id, w.shop_id from waiting w join first f on f.shop_id = w.shop_id
        where w.item_id = f.item_id or not (f.isolated or w.isolated)
        order by w.due_at, w.item_id limit ${batchSize}
      ), others as (
        select c.item_id, c.shop_id from product_schedule c
        where c.shop_id = (select shop_id from first where not isolated) and ${idle}
          and not exists (select from asked a where a.item_id = c.item_id)
          and c.shop_id not in (select key from backoff where kind = 'shop')
          and c.item_id not in (select key::bigint from backoff where isolated)
        order by c.due_at, c.item_id limit ${batchSize} - (select count(*) from asked)
      )
      select *, true as is_asked from asked union all select *, false from others`);
    const first = rows[0];
    if (!first) return null;
    const asked = rows.filter((row) => row.is_asked).length;
    return {
      shopId: first.shop_id,
      itemIds: rows.map((row) => row.item_id),
      value: Infinity,
      why: { code: "on_demand", shopId: first.shop_id, asked, others: rows.length - asked },
    };
  }

  return async (now) => {
    await unlessHeld(db, (part) => settleWithoutCall(part, now));
    const batch = await pick(now);
    if (!batch) return null;
    const call = toRefresh(batch);
    return {
      ...call,
      purpose: "on_demand",
      async settle(tx, sighting, page, result) {
        const settled = await call.settle(tx, sighting, page, result);
        const { callId, sentAt: at } = sighting;
        const isEmpty = page.items.length === 0 && page.broken.length === 0;
        const open = isEmpty ? batch.itemIds : (settled.doubtful ?? []);
        const answered = batch.itemIds.filter((id) => !open.includes(id));
        await unlessHeld(tx, async (part) => {
          await markTried(part, open, callId);
          await settleRequests(part, toOutcomes(answered, page), { callId, at });
        });
        return settled;
      },
      async failed(tx, failure) {
        const isItsOwn = await call.failed(tx, failure);
        const isAnswered = failure.kind === "refused" || failure.kind === "doubted";
        const outcomes = new Map(batch.itemIds.map((id) => [id, "refused" as const]));
        if (isAnswered) await unlessHeld(tx, (part) => settleRequests(part, outcomes, failure));
        return isItsOwn;
      },
      take() {
        call.take();
        for (const id of batch.itemIds) busy.add(id);
      },
      release() {
        call.release();
        for (const id of batch.itemIds) busy.delete(id);
      },
    };
  };
}

function toOutcomes(
  itemIds: readonly number[],
  page: RefreshPage,
): ReadonlyMap<number, RefreshOutcome> {
  const readable = new Set(page.items.map((item) => item.itemId));
  const broken = page.broken.map((item) => item.itemId);
  // An item without a readable id may be any of the missing ones.
  const missing = broken.includes(null) ? "unreadable" : "absent";
  return new Map(
    itemIds.map((id) => [
      id,
      readable.has(id) ? "answered" : broken.includes(id) ? "unreadable" : missing,
    ]),
  );
}

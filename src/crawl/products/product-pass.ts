import { eq, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import { jobRun, type PassPosition } from "../../db/schema.ts";
import type { RefreshCall } from "../safety/planned-call.ts";
import type { JobRunRecord } from "../budget/jobs.ts";
import { batchSize } from "../scoring/scoring.ts";
import type { Batch } from "./batches.ts";

const passStart: PassPosition = { shopId: "", itemId: 0 };
/** A pass waits for shops that may be called again within this time, and leaves the others to the planner. */
const waitMs = 2000;

interface Pass {
  runId: number;
  /** The position of the planning. */
  at: PassPosition;
  /** The start positions of the calls that have no outcome yet, in planning order. */
  unsettled: Set<PassPosition>;
  /** So many of these calls are under way. The others have ended: not made after all, or without a connection. */
  underWay: number;
}

/**
 * A `revalidate` run started by hand: every product once, shop by shop, and at the end the rest of shops
 * whose calls have failed, if they may be asked again soon. Its position is stored with the run, never
 * beyond a call without an outcome, so another process can continue it. Products that are newer
 * than the run or were checked since it began are left out.
 *
 * Returns what makes the next batch. `wait`: a shop's calls fail, and in a moment it is known which product is at
 * fault; null: nothing is left.
 */
export function createProductPass(
  db: Db,
  toCall: (batch: Batch) => RefreshCall,
): (run: JobRunRecord, now: Date) => Promise<RefreshCall | "wait" | null> {
  let pass: Pass | null = null;

  function passOf(run: JobRunRecord): Pass {
    if (pass?.runId !== run.id) {
      const at = run.position ?? passStart;
      pass = { runId: run.id, at, unsettled: new Set(), underWay: 0 };
    }
    return pass;
  }

  async function savePosition(tx: Tx, current: Pass, ended: PassPosition): Promise<void> {
    const [oldest] = [...current.unsettled].filter((start) => start !== ended);
    const position = oldest ?? current.at;
    await unlessHeld(tx, (part) =>
      part.update(jobRun).set({ position }).where(eq(jobRun.id, current.runId)),
    );
  }

  /**
   * Products that were there when the run began and were not checked since. A moment in the future is one from before
   * a clock that was ahead was set right.
   */
  function uncheckedSince({ startedAt }: JobRunRecord, now: Date): SQL {
    const ofRun = sql`between ${startedAt.toISOString()}::timestamptz
      and ${now.toISOString()}::timestamptz + interval '1 minute'`;
    return sql`state <> 'gone' and first_seen_at not ${ofRun} and checked_at not ${ofRun}
      and item_id not in (select key::bigint from backoff where isolated)`;
  }

  /** Unchecked products of one shop: the next one in order, or one that has failed. */
  async function readBatch(run: JobRunRecord, now: Date, of: SQL): Promise<Batch | null> {
    const rows = await db.execute<{ item_id: number; shop_id: string }>(sql`
      select item_id, shop_id from product
      where ${uncheckedSince(run, now)} and ${of}
      order by shop_id, item_id limit ${batchSize}`);
    const first = rows[0];
    if (!first) return null;
    const { shop_id: shopId } = first;
    const itemIds = rows.filter((row) => row.shop_id === shopId).map((row) => row.item_id);
    const why = { code: "pass", shopId, products: itemIds.length } as const;
    return { shopId, itemIds, value: Infinity, why };
  }

  /**
   * What is left of the shops whose calls have failed, in this run or before it, in halves where that finds
   * out which product is at fault.
   */
  async function readLeft(run: JobRunRecord, now: Date): Promise<Batch | "wait" | null> {
    const soon = new Date(now.getTime() + waitMs);
    const ofPart = sql`(b.part is null or b.part @> to_jsonb(item_id))`;
    const [failed] = await db.execute<{ shop_id: string; is_due: boolean }>(sql`
      select b.key as shop_id, b.retry_at <= ${now.toISOString()} as is_due from backoff b
      where b.kind = 'shop' and b.retry_at <= ${soon.toISOString()}
        and exists (select from product where shop_id = b.key and ${ofPart} and ${uncheckedSince(run, now)})
      order by b.retry_at, b.id limit 1`);
    if (!failed) return null;
    if (!failed.is_due) return "wait";
    return readBatch(
      run,
      now,
      sql`shop_id = ${failed.shop_id} and not exists (
        select from backoff b where b.kind = 'shop' and b.key = shop_id and not ${ofPart})`,
    );
  }

  const readInOrder = (run: JobRunRecord, now: Date, { shopId, itemId }: PassPosition) =>
    readBatch(
      run,
      now,
      sql`(shop_id, item_id) > (${shopId}, ${itemId})
          and shop_id not in (select key from backoff where kind = 'shop')`,
    );

  return async (run, now) => {
    const current = passOf(run);
    let inOrder = await readInOrder(run, now, current.at);
    if (!inOrder && current.underWay > 0) return "wait";
    const [missed] = current.unsettled;
    if (!inOrder && missed) {
      // From there on again: those checked since are left out.
      current.at = missed;
      current.unsettled.clear();
      inOrder = await readInOrder(run, now, missed);
    }
    const from = current.at;
    const batch = inOrder ?? (await readLeft(run, now));
    if (batch === null || batch === "wait") return batch;
    const { shopId, itemIds } = batch;
    const call = toCall(batch);
    let hasOutcome = false;
    return {
      ...call,
      async settle(tx, sighting, page, result) {
        hasOutcome = true;
        await savePosition(tx, current, from);
        return call.settle(tx, sighting, page, result);
      },
      async failed(tx, failure) {
        hasOutcome = true;
        await savePosition(tx, current, from);
        return call.failed(tx, failure);
      },
      take() {
        if (inOrder) current.at = { shopId, itemId: Math.max(...itemIds) };
        current.unsettled.add(from);
        current.underWay += 1;
        call.take();
      },
      release() {
        if (hasOutcome) current.unsettled.delete(from);
        current.underWay -= 1;
        call.release();
      },
    };
  };
}

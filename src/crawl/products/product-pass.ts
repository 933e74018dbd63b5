import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { backoff, jobRun, type PassPosition } from "../../db/schema.ts";
import type { RefreshCall } from "../safety/planned-call.ts";
import type { JobRunRecord } from "../budget/jobs.ts";
import { BATCH } from "../scoring/scoring.ts";
import type { Batch } from "./revalidation.ts";

export interface ProductPass {
  /**
   * The next batch of a pass over everything that was there when its run began. `wait`: a shop's
   * calls fail, and which product is at fault is found out in a moment; null: nothing is left.
   */
  next(run: JobRunRecord, now: Date): Promise<RefreshCall | "wait" | null>;
}

const START: PassPosition = { shopId: "", itemId: 0 };
/** A pass waits for shops that can be asked again so soon, and leaves the others to the planner. */
const WAIT_MS = 2000;

interface Pass {
  runId: number;
  /** Where planning stands. */
  at: PassPosition;
  /** The starts of the calls under way, in the order they were planned. */
  underWay: Set<PassPosition>;
  /** Shops with a failed call, whose products may be left. */
  failed: Set<string>;
}

/**
 * A `revalidate` run started by hand: every product once, shop by shop, and at the end what is left
 * of shops whose calls have failed. Its position is kept with the run, never beyond a call that is
 * still under way, so another process goes on where it stood. What was checked since the run began
 * is not asked for again.
 */
export function createProductPass(db: Db, toCall: (batch: Batch) => RefreshCall): ProductPass {
  let pass: Pass | null = null;

  function passOf(run: JobRunRecord): Pass {
    if (pass?.runId !== run.id) {
      const at = run.position ?? START;
      pass = { runId: run.id, at, underWay: new Set(), failed: new Set() };
    }
    return pass;
  }

  async function savePosition(tx: Tx, current: Pass, ended: PassPosition): Promise<void> {
    const [oldest] = [...current.underWay].filter((start) => start !== ended);
    const position = oldest ?? current.at;
    await tx.update(jobRun).set({ position }).where(eq(jobRun.id, current.runId));
  }

  /** Unchecked products of one shop: the next one in order, or one that has failed. */
  async function readBatch(run: JobRunRecord, of: SQL): Promise<Batch | null> {
    const startedAt = run.startedAt.toISOString();
    const rows = await db.execute<{ item_id: number; shop_id: string }>(sql`
      select item_id, shop_id from product
      where state <> 'gone' and ${of} and first_seen_at <= ${startedAt} and checked_at < ${startedAt}
        and item_id not in (select key::bigint from backoff where isolated)
      order by shop_id, item_id limit ${BATCH}`);
    const first = rows[0];
    if (!first) return null;
    const { shop_id: shopId } = first;
    const itemIds = rows.filter((row) => row.shop_id === shopId).map((row) => row.item_id);
    const why = { code: "pass", shopId, products: itemIds.length } as const;
    return { shopId, itemIds, value: Infinity, why };
  }

  /** What is left of the shops that have failed, in halves where a call has just failed. */
  async function readLeft(
    run: JobRunRecord,
    current: Pass,
    now: Date,
  ): Promise<Batch | "wait" | null> {
    let waits = false;
    for (const shopId of current.failed) {
      const [row] = await db
        .select()
        .from(backoff)
        .where(and(eq(backoff.kind, "shop"), eq(backoff.key, shopId)));
      if (row && row.retryAt > now) {
        if (row.retryAt.getTime() - now.getTime() <= WAIT_MS) waits = true;
        else current.failed.delete(shopId);
        continue;
      }
      const part = row?.part
        ? sql`item_id in (select x::bigint from json_array_elements_text(${JSON.stringify(row.part)}::text::json) as t(x))`
        : sql`true`;
      const batch = await readBatch(run, sql`shop_id = ${shopId} and ${part}`);
      if (batch) return batch;
      current.failed.delete(shopId);
    }
    return waits ? "wait" : null;
  }

  return {
    async next(run, now) {
      const current = passOf(run);
      const from = current.at;
      const inOrder = await readBatch(
        run,
        sql`(shop_id, item_id) > (${from.shopId}, ${from.itemId})
          and shop_id not in (select key from backoff where kind = 'shop')`,
      );
      if (!inOrder && current.underWay.size > 0) return "wait";
      const batch = inOrder ?? (await readLeft(run, current, now));
      if (batch === null || batch === "wait") return batch;
      const { shopId, itemIds } = batch;
      const call = toCall(batch);
      return {
        ...call,
        async settle(tx, sighting, page, result) {
          await savePosition(tx, current, from);
          return call.settle(tx, sighting, page, result);
        },
        async failed(tx, failure) {
          current.failed.add(shopId);
          await savePosition(tx, current, from);
          return call.failed(tx, failure);
        },
        take() {
          if (inOrder) current.at = { shopId, itemId: Math.max(...itemIds) };
          current.underWay.add(from);
          call.take();
        },
        release() {
          current.underWay.delete(from);
          call.release();
        },
      };
    },
  };
}

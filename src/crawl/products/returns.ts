import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { Db, Tx } from "../../db/open.ts";
import { noteFailure } from "../safety/backoff.ts";
import type { RefreshCall } from "../safety/planned-call.ts";
import { batchSize } from "../scoring/scoring.ts";
import type { Batch } from "./batches.ts";

/** Of those that wait longest. */
const mostRead = 1000;

/**
 * Returns what makes the call for deleted products that may have returned together with others of their shop; null if
 * there are none. Living products of the shop fill it up: their absence alone is judged, and an answer without them
 * tells nothing about the others. Each product is asked for once, and none after an answer that shows none of them.
 */
export function createReturns(
  db: Db,
  toRefresh: (batch: Batch) => RefreshCall,
): (now: Date) => Promise<RefreshCall | null> {
  const busy = new Set<number>();

  return async (now) => {
    const rows = await readPossible(db, now, busy);
    const ids = (isLiving: boolean) =>
      rows.filter((row) => row.is_living === isLiving).map((row) => row.item_id);
    const [shopId, deleted, living] = [rows[0]?.shop_id, ids(false), ids(true)];
    if (shopId === undefined || deleted.length === 0 || living.length === 0) return null;
    const call = toRefresh({
      shopId,
      itemIds: living,
      value: Infinity,
      why: { code: "returned", shopId, products: deleted.length, others: living.length },
    });
    return {
      ...call,
      itemIds: [...deleted, ...living],
      async settle(tx, sighting, page, result) {
        const hasAny = page.items.some(({ itemId }) => deleted.includes(itemId));
        await noteAsked(tx, shopId, hasAny ? deleted : null);
        return call.settle(tx, sighting, page, result);
      },
      async failed(tx, failure) {
        await noteAsked(tx, shopId, deleted);
        return noteFailure(tx, { kind: "shop", key: shopId }, failure);
      },
      take() {
        call.take();
        for (const id of deleted) busy.add(id);
      },
      release() {
        call.release();
        for (const id of deleted) busy.delete(id);
      },
    };
  };
}

/** Those of the shop that waits longest and does not back off, and its living products that are due first. */
async function readPossible(db: Db, now: Date, busy: ReadonlySet<number>) {
  const at = now.toISOString();
  return db.execute<{ item_id: number; shop_id: string; is_living: boolean }>(sql`
    with possible as (
      select r.item_id, r.shop_id, r.noted_at from (
        select * from possible_return
        where not is_asked and noted_at > ${at}::timestamptz - interval '1 day'
        order by noted_at, item_id limit ${mostRead}) r
      join product p on p.item_id = r.item_id and p.state = 'gone'
      where r.item_id not in ${idList([...busy])}
        and exists (select from product_schedule c where c.shop_id = r.shop_id)
        and r.shop_id not in (select key from backoff where kind = 'shop' and retry_at > ${at})
    ), deleted as (
      select item_id, shop_id from possible
      where shop_id = (select shop_id from possible order by noted_at, item_id limit 1)
      order by item_id limit ${batchSize - 1}
    ), living as (
      select c.item_id, c.shop_id from product_schedule c
      where c.shop_id = (select shop_id from deleted limit 1)
        and c.item_id not in (select key::bigint from backoff where isolated)
      order by c.due_at, c.item_id limit ${batchSize} - (select count(*) from deleted)
    )
    select *, false as is_living from deleted union all select *, true from living`);
}

/** null: all of the shop. */
async function noteAsked(tx: Tx, shopId: string, itemIds: readonly number[] | null): Promise<void> {
  const asked = itemIds ? sql`item_id in ${idList(itemIds)}` : sql`shop_id = ${shopId}`;
  await unlessHeld(tx, (part) =>
    part.execute(sql`update possible_return set is_asked = true where ${asked}`),
  );
}

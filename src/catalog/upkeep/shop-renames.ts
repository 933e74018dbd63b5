import { sql } from "drizzle-orm";
import { idList, oneMore } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { isOutage, transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";

/** Products per transaction. Other writers of these products wait for at most one such transaction. */
const sliceSize = 500;
const idleMs = 1000;
const longestPauseS = 3600;

/**
 * A step for `runLoop`: updates search text and index entries of some products to the new name or
 * address of their shop, tells their change, and returns the pause in milliseconds. Any number of processes may run it, because the
 * shop's row keeps the position and commits with the products. A shop that fails backs off alone.
 */
export async function followShopRename(
  { db, clock, logger }: { db: Db; clock: Clock; logger: Logger },
  limit = sliceSize,
): Promise<number> {
  const [due] = await db.execute<{ shop_id: string }>(sql`
    select shop_id from shop_rename where attempts = 0 or next_at <= clock_timestamp() order by next_at limit 1`);
  if (!due) return idleMs;
  try {
    await transact(db, clock, (tx) => followSlice(tx, due.shop_id, limit));
  } catch (error) {
    if (isOutage(error)) throw error;
    logger.error({ err: error, shopId: due.shop_id }, "search cannot follow a shop's new name yet");
    await postpone(db, due.shop_id);
  }
  return 0;
}

async function followSlice(tx: Tx, shopId: string, limit: number): Promise<void> {
  const [row] = await tx.execute<{ after_id: number }>(sql`
    select after_id from shop_rename where shop_id = ${shopId} for update skip locked`);
  if (!row) return;
  // Locked: an answer that is being stored would get the text of the product as it was before.
  const ids = await tx.execute<{ item_id: number }>(sql`
    select item_id from product
    where shop_id = ${shopId} and state <> 'gone' and item_id > ${row.after_id}
    order by item_id limit ${limit} for share`);
  if (ids.length > 0) {
    const slice = sql`array${idList(ids.map(({ item_id }) => item_id))}`;
    await tx.execute(sql`select mirror_mark_dirty(${slice}), write_product_text(${slice})`);
    await tx.execute(sql`
      insert into pending_change (item_id, ver, kind, price, stock, prev_price, prev_stock)
      select item_id, ver, 'changed', price, stock, price, stock from product
      where item_id = any (${slice}) and state <> 'gone' order by item_id`);
  }
  if (ids.length === limit) {
    await tx.execute(sql`
      update shop_rename set after_id = ${ids.at(-1)?.item_id}, attempts = 0,
        next_at = clock_timestamp() where shop_id = ${shopId}`);
    return;
  }
  // A pass always ends before the next begins. Otherwise a name that changes often would never reach
  // the last products. The next one waits as long as one that the trigger `shop_renamed` has wait.
  await tx.execute(sql`delete from shop_rename where shop_id = ${shopId} and not again`);
  await tx.execute(sql`
    update shop_rename set after_id = 0, again = false, attempts = 1,
      renamed_at = clock_timestamp() + interval '6 h', next_at = clock_timestamp() + interval '6 h'
    where shop_id = ${shopId}`);
}

async function postpone(db: Db, shopId: string): Promise<void> {
  await db.execute(sql`
    update shop_rename set attempts = ${oneMore(sql`attempts`)}, next_at = clock_timestamp()
      + least(${longestPauseS}::int, power(2, least(attempts, 20))) * interval '1 s'
    where shop_id = ${shopId}`);
}

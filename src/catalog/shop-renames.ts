import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/open.ts";
import { isOutage, transact } from "../db/transact.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";

/** Products that follow in one transaction: what else writes one of them waits no longer than that. */
const SLICE = 500;
const IDLE_MS = 1000;
/** Moments are kept in whole milliseconds, and may be rounded up to one that is still to come. */
const ROUNDING = sql`interval '1 ms'`;
const LONGEST_PAUSE_S = 3600;

/**
 * Lets search text and index entries of one slice of products follow the new name of their shop, for
 * `runLoop`; returns the pause in milliseconds before the next. Any number of processes may do so: how
 * far a shop has got is in its row, which commits with the slice. A shop that fails waits alone.
 */
export async function followShopRename(
  { db, clock, logger }: { db: Db; clock: Clock; logger: Logger },
  limit = SLICE,
): Promise<number> {
  const [due] = await db.execute<{ shop_id: string }>(sql`
    select shop_id from shop_rename where next_at <= clock_timestamp() + ${ROUNDING} order by next_at limit 1`);
  if (!due) return IDLE_MS;
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
  const ids = await tx.execute<{ item_id: number }>(sql`
    select item_id from product
    where shop_id = ${shopId} and state <> 'gone' and item_id > ${row.after_id}
    order by item_id limit ${limit}`);
  if (ids.length > 0) {
    const slice = sql`array(select x::bigint from json_array_elements_text(
      ${JSON.stringify(ids.map(({ item_id }) => item_id))}::text::json) x)`;
    await tx.execute(sql`select mirror_mark_dirty(${slice}), write_product_text(${slice})`);
  }
  if (ids.length === limit) {
    await tx.execute(sql`
      update shop_rename set after_id = ${ids.at(-1)?.item_id}, attempts = 0,
        next_at = clock_timestamp() where shop_id = ${shopId}`);
    return;
  }
  // A pass is never begun anew before it has ended, or a name that flickers would keep the last products out.
  await tx.execute(sql`delete from shop_rename where shop_id = ${shopId} and not again`);
  await tx.execute(sql`
    update shop_rename set after_id = 0, again = false, attempts = 0, next_at = clock_timestamp()
    where shop_id = ${shopId}`);
}

async function postpone(db: Db, shopId: string): Promise<void> {
  await db.execute(sql`
    update shop_rename set attempts = attempts + 1, next_at = clock_timestamp()
      + least(${LONGEST_PAUSE_S}::int, power(2, least(attempts, 20))) * interval '1 s'
    where shop_id = ${shopId}`);
}

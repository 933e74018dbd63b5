import { sql } from "drizzle-orm";
import { countLiving } from "../../catalog/counts.ts";
import { countShops } from "../../catalog/shops.ts";
import { anyId, rowsOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DayRules } from "../budget/accounts.ts";
import { checkedAfterDays } from "../scoring/forecast.ts";
import { readJobSettings } from "../budget/jobs.ts";
import { readBudget } from "../budget/budget-today.ts";
import { lockShops } from "./statistics.ts";

/** Days after which every product is due whatever its value. */
export async function readMaxAgeDays(db: Db, now: Date, rules: DayRules): Promise<number> {
  const { expected } = await readBudget(db, now, rules);
  const { max_age_days: maxAgeDays } = await readJobSettings(db, "revalidate");
  return checkedAfterDays({
    callsPerDay: expected,
    products: await countLiving(db),
    shops: await countShops(db),
    maxAgeDays,
  });
}

/** Products brought forward in one transaction: 1,000 took 1.3 s where none of their pages was in memory. */
const slice = 300;

/**
 * Due times were set by the maximum age at the last check. If ops have lowered it since, or the
 * catalogue has grown, the checks are brought forward, those first that are furthest beyond it.
 */
export async function keepMaximumAge(
  db: Db,
  clock: Clock,
  rules: DayRules,
  signal?: AbortSignal,
): Promise<void> {
  // In whole seconds, so that a product that was brought forward is never found again.
  const seconds = Math.floor((await readMaxAgeDays(db, clock.now(), rules)) * 86_400);
  let found = slice;
  while (found === slice && !signal?.aborted) {
    found = await transact(db, clock, (tx) => bringForward(tx, seconds));
  }
}

/** Locks shops before products, as every transaction that stores an answer does. */
async function bringForward(tx: Tx, seconds: number): Promise<number> {
  // Products without usable answers have backoffs of their own.
  const isLate = sql`due_at - checked_at > ${seconds} * interval '1 s'
    and item_id not in (select key::bigint from backoff where kind = 'product')`;
  const late = await tx.execute<{ item_id: number; shop_id: string; due_at: string }>(sql`
    select item_id, shop_id, checked_at + ${seconds} * interval '1 s' as due_at
    from product_schedule
    where ${isLate} order by due_at - checked_at desc limit ${slice}`);
  if (late.length === 0) return 0;
  const rows = rowsOf("product_schedule", late);
  await lockShops(tx, [...new Set(late.map((row) => row.shop_id))]);
  await tx.execute(sql`
    update shop s set due_at = least(s.due_at, x.due_at)
    from (select shop_id, min(due_at) as due_at from ${rows} group by 1) x where s.shop_id = x.shop_id`);
  await tx.execute(sql`
    with locked as (
      select item_id from product_schedule where item_id = ${anyId(late.map((row) => row.item_id))} and ${isLate}
      order by item_id for no key update
    )
    update product_schedule set due_at = checked_at + ${seconds} * interval '1 s'
    where item_id = any (array(select item_id from locked))`);
  return late.length;
}

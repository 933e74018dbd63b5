import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";

/** Confirmations summed in one statement. */
const sliceSize = 5000;
/** Months prepared ahead. If this task fails for longer, confirmations go into the default partition. */
const monthsAhead = 3;

/**
 * Creates the partitions of the coming months and drops those older than `keepMonths` once they are
 * summed. Only the confirmations inside an interval are dropped; its first and last one stay in the
 * history. Both steps need a lock that the crawler's writes wait for, so a step gives up soon and is
 * tried again the next time.
 */
export async function keepConfirmations(
  db: Db,
  now: Date,
  keepMonths: number,
  signal?: AbortSignal,
): Promise<void> {
  await prepareMonths(db, now);
  const old = await db.execute<{ month: string; partition: string }>(sql`
    select to_date(right(relname, 7), 'YYYY_MM')::text as month, relname as partition
    from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = 'confirmation'::regclass and relname ~ '_\\d{4}_\\d{2}$'
      and to_date(right(relname, 7), 'YYYY_MM') < ${now.toISOString()}::timestamptz - make_interval(months => ${keepMonths})
        - interval '1 month' order by 1`);
  for (const { month, partition } of old) {
    if (signal?.aborted) return;
    await db.transaction(async (tx) => {
      let after: number | null = 0;
      while (after !== null) after = await addToMonth(tx, month, after);
      await tx.execute(sql`set local lock_timeout = '2s'`);
      await tx.execute(sql`drop table ${sql.identifier(partition)}`);
    });
  }
}

async function prepareMonths(db: Db, now: Date): Promise<void> {
  const months = await db.execute<{ month: string }>(sql`
    select m::date::text as month
    from generate_series(date_trunc('month', ${now.toISOString()}::timestamptz),
      date_trunc('month', ${now.toISOString()}::timestamptz) + ${monthsAhead} * interval '1 month', interval '1 month') m
    where to_regclass('public.confirmation_' || to_char(m, 'YYYY_MM')) is null
      or exists (select from confirmation_unsorted)
    order by 1`);
  for (const { month } of months) {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '2s'`);
      await tx.execute(sql`select prepare_confirmation_months(${month}::date)`);
    });
  }
}

/** Adds some products to the month's sums. Returns the last of them, or null at the end. */
async function addToMonth(tx: Tx, month: string, after: number): Promise<number | null> {
  const [row] = await tx.execute<{ last: number | null; seen: number }>(sql`
    with slice as materialized (
      select item_id, moments from confirmation
      where month = ${month} and item_id > ${after} order by item_id limit ${sliceSize}
    ), added as (
      insert into confirmation_month as s (month, shop_id, products, product_days)
      select ${month}, p.shop_id, count(*)::integer, sum(cardinality(moments))
      from slice join product p using (item_id) group by p.shop_id
      on conflict (month, shop_id) do update set products = s.products + excluded.products,
        product_days = s.product_days + excluded.product_days
    )
    select max(item_id) as last, count(*) as seen from slice`);
  return row && row.seen === sliceSize ? row.last : null;
}

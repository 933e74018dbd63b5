import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";

/** Days summed anew each time: whether a price was a glitch shows only with later looks. */
const UNSETTLED_DAYS = 7;

/** Sums up what shops did on each day of the marketplace's calendar, up to the day before `now`. */
export async function rollUpShopDays(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const days = await db.execute<{ day: string }>(sql`
    select d::date::text as day
    from analytics.marketplace m, generate_series(
      greatest((select min(first_seen_at) from product) at time zone m.timezone,
        (select max(day) - ${UNSETTLED_DAYS}::int from shop_day))::date,
      (${now.toISOString()}::timestamptz at time zone m.timezone)::date - 1, interval '1 day') d order by 1`);
  for (const { day } of days) {
    if (signal?.aborted) return;
    await rollUpShopDay(db, day);
  }
}

async function rollUpShopDay(db: Db, day: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from shop_day where day = ${day}`);
    await tx.execute(sql`
      insert into shop_day (day, shop_id, new_products, changes, drops, drops_5, rises, sold_out, restocked, glitches)
      select ${day}, p.shop_id,
        count(*) filter (where h.previous_price is null),
        count(*) filter (where h.previous_price is not null),
        count(*) filter (where believed and h.price < h.previous_price),
        count(*) filter (where believed and h.price * 100 <= h.previous_price * 95 and h.price < h.previous_price),
        count(*) filter (where believed and h.price > h.previous_price),
        count(*) filter (where h.stock <= 0 and h.previous_stock > 0),
        count(*) filter (where h.stock > 0 and h.previous_stock <= 0),
        count(*) filter (where h.glitch is not null)
      from analytics.marketplace m
      join analytics.price_history h
        on h.first_seen >= ${day}::timestamp at time zone m.timezone
        and h.first_seen < (${day}::date + 1)::timestamp at time zone m.timezone
      join product p using (item_id)
      cross join lateral (
        select h.glitch is null and (h.price = h.previous_price or not exists (
          select from analytics.price_history before
          where before.item_id = h.item_id and before.glitch is not null and before.first_seen = (
            select max(x.first_seen) from price_interval x
            where x.item_id = h.item_id and x.first_seen < h.first_seen)))
      ) as b (believed)
      group by p.shop_id`);
  });
}

/** Sums the ledger of days that are settled, so that its rows may be dropped. */
export async function rollUpCalls(db: Db, now: Date): Promise<void> {
  const settledBefore = new Date(now.getTime() - 2 * 86_400_000).toISOString();
  await db.execute(sql`
    insert into call_day (day, purpose, operation, job, outcome, calls, asked, returned, created, changed,
      unchanged, gone, quarantined, duplicates, duration_ms)
    select day, purpose, operation, job, outcome, calls, asked, returned, created, changed, unchanged, gone,
      quarantined, duplicates, duration_ms
    from analytics.call_days
    where day > coalesce((select max(day) from call_day), '-infinity')
      and day < (${settledBefore}::timestamptz at time zone (select timezone from analytics.marketplace))::date`);
}

/**
 * Gives the coming months a place for their confirmations and drops those older than `keepMonths`, once
 * they are summed. What is dropped are the days within an interval on which it was confirmed; its first
 * and last confirmation stay in the history.
 */
export async function keepConfirmations(db: Db, now: Date, keepMonths: number): Promise<void> {
  const soon = new Date(now.getTime() + 15 * 86_400_000).toISOString().slice(0, 10);
  await db.execute(sql`select prepare_confirmation_months(${soon}::date)`);
  const old = await db.execute<{ month: string; partition: string }>(sql`
    select to_date(right(relname, 7), 'YYYY_MM')::text as month, relname as partition
    from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = 'confirmation'::regclass and relname ~ '_\\d{4}_\\d{2}$'
      and to_date(right(relname, 7), 'YYYY_MM') < ${now.toISOString()}::timestamptz - make_interval(months => ${keepMonths})
        - interval '1 month'`);
  for (const { month, partition } of old) {
    await db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into confirmation_month (month, shop_id, products, product_days)
        select month, shop_id, products, product_days from analytics.check_months where month = ${month}
        on conflict do nothing`);
      await tx.execute(sql`drop table ${sql.identifier(partition)}`);
    });
  }
}

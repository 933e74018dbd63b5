import { sql } from "drizzle-orm";
import { must } from "../../lib/must.ts";
import type { Db, Tx } from "../../db/open.ts";

/** Days that are summed again each time, because only later checks show whether a price was a glitch. */
const unsettledDays = 7;

/**
 * Sums each shop's changes per day of the marketplace's calendar, up to the day before `now`. One
 * transaction writes a whole day; the next run continues after the last one.
 */
export async function rollUpShopDays(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  // No product is older than its shop, and a minimum over all products would read the whole table.
  const days = await db.execute<{ day: string }>(sql`
    select d::date::text as day
    from analytics.marketplace m, generate_series(
      coalesce((select greatest(min(day), max(day) - ${unsettledDays}::int) from shop_day),
        ((select min(first_seen_at) from shop) at time zone m.timezone)::date),
      (${now.toISOString()}::timestamptz at time zone m.timezone)::date - 1, interval '1 day') d order by 1`);
  for (const { day } of days) {
    if (signal?.aborted) return;
    await rollUpShopDay(db, day);
  }
}

/**
 * So much time one statement sums. Of a budget of 10,000 calls a day, 1,700 changes at most are stored in it; 8,000 took
 * 2 s where none of their pages was in memory.
 */
const sliceLength = sql`interval '5 minutes'`;

async function rollUpShopDay(db: Db, day: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from shop_day where day = ${day}`);
    // Where clocks go back at midnight, a day begins an hour before what Postgres takes for its midnight.
    const [bounds] = await tx.execute<{ begins: string; ends: string }>(sql`
      select (${day}::timestamp at time zone timezone - interval '1 hour')::text as begins,
        ((${day}::timestamp + interval '1 day') at time zone timezone)::text as ends
      from analytics.marketplace`);
    const { begins, ends } = must(bounds, "a time zone");
    const hours = await tx.execute<{ begins: string }>(sql`
      select h::text as begins
      from generate_series(${begins}::timestamptz, ${ends}::timestamptz - interval '1 us', interval '1 hour') h`);
    for (const hour of hours) {
      const slices = await tx.execute<{ begins: string }>(sql`
        select distinct date_bin(${sliceLength}, first_seen, ${begins}::timestamptz)::text as begins
        from price_interval
        where first_seen >= ${hour.begins}::timestamptz and first_seen < ${hour.begins}::timestamptz + interval '1 hour'
          and (first_seen at time zone (select timezone from analytics.marketplace))::date = ${day}::date`);
      for (const slice of slices) await addSlice(tx, day, slice.begins);
    }
  });
}

/**
 * Products are read one by one: the plan that joins them reads the whole table. So the bounds are values
 * that the planner knows, and `offset 0` holds the rest.
 */
async function addSlice(tx: Tx, day: string, begins: string): Promise<void> {
  await tx.execute(sql`
      insert into shop_day as d (day, shop_id, new_products, changes, drops, drops_5, rises, sold_out, restocked, glitches)
      select ${day}, p.shop_id,
        count(*) filter (where h.previous_price is null),
        count(*) filter (where h.previous_price is not null and (
          (h.price, h.stock) is distinct from (h.previous_price, h.previous_stock)
          or h.proper_price is distinct from (
            select before.proper_price from price_interval before
            where before.item_id = h.item_id and before.first_seen < h.first_seen
            order by before.first_seen desc limit 1))),
        count(*) filter (where believed and h.price < h.previous_price),
        count(*) filter (where believed and h.price * 100 <= h.previous_price * 95 and h.price < h.previous_price),
        count(*) filter (where believed and h.price > h.previous_price),
        count(*) filter (where h.stock <= 0 and h.previous_stock > 0),
        count(*) filter (where h.stock > 0 and h.previous_stock <= 0),
        count(*) filter (where h.glitch is not null)
      from (
        select * from analytics.price_history
        where first_seen >= ${begins}::timestamptz and first_seen < ${begins}::timestamptz + ${sliceLength}
      ) h
      cross join lateral (
        select shop_id from product own where own.item_id = h.item_id offset 0
      ) p
      cross join lateral (
        select h.glitch is null and (h.price = h.previous_price or not exists (
          select from analytics.price_history before
          where before.item_id = h.item_id and before.glitch is not null and before.first_seen = (
            select max(x.first_seen) from price_interval x
            where x.item_id = h.item_id and x.first_seen < h.first_seen)))
      ) as b (believed)
      group by p.shop_id
      on conflict (day, shop_id) do update set new_products = d.new_products + excluded.new_products,
        changes = d.changes + excluded.changes, drops = d.drops + excluded.drops,
        drops_5 = d.drops_5 + excluded.drops_5, rises = d.rises + excluded.rises,
        sold_out = d.sold_out + excluded.sold_out, restocked = d.restocked + excluded.restocked,
        glitches = d.glitches + excluded.glitches`);
}

/** Sums the ledger of past days, one day at a time, so that its rows may be dropped. */
export async function rollUpCalls(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const settledBefore = new Date(now.getTime() - 2 * 86_400_000).toISOString();
  while (!signal?.aborted) {
    const [next] = await db.execute<{ day: string | null }>(sql`
      select min(day)::text as day from api_call
      where day > coalesce((select max(day) from call_day), '-infinity')
        and day < (${settledBefore}::timestamptz at time zone (select timezone from analytics.marketplace))::date`);
    if (!next?.day) return;
    await db.execute(sql`
      insert into call_day (day, purpose, operation, job, outcome, calls, asked, returned, created, changed,
        unchanged, gone, quarantined, duplicates, duration_ms)
      select day, purpose, operation, job, outcome, calls, asked, returned, created, changed, unchanged, gone,
        quarantined, duplicates, duration_ms
      from analytics.call_days where day = ${next.day}::date`);
  }
}

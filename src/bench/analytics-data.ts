import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rollUpCalls, rollUpShopDays } from "../catalog/history/roll-ups.ts";
import type { Db } from "../db/open.ts";
import { must } from "../lib/must.ts";

/**
 * Two years of an invented catalogue: a value lasts a week, every third change is a price change (the
 * others change the stock), and every product is confirmed once a day.
 */
export interface AnalyticsSize {
  intervals: number;
  products: number;
  shops: number;
  calls: number;
}

const days = 730;
const intervalsAProduct = 100;

export function sizeOf(intervals: number): AnalyticsSize {
  return {
    intervals,
    products: Math.max(20, Math.round(intervals / intervalsAProduct)),
    shops: 300,
    calls: Math.max(1000, Math.round(intervals / 10)),
  };
}

/** 0 to 1 for each `i` and `k`, the same on every run. */
const chance = (k: string, seed: number) =>
  sql.raw(`((hashint8extended(i::bigint * 1009 + ${k}, ${seed}) & 16777215) / 16777216.0)`);

/**
 * Fills an empty, migrated database; `until` is the last day. Triggers and foreign keys are skipped, so
 * the user must be a superuser. Intervals are written in time order, as by a crawl.
 */
export async function fillAnalytics(db: Db, size: AnalyticsSize, until: Date): Promise<void> {
  const start = new Date(until.getTime() - days * 86_400_000);
  const from = sql`${start.toISOString()}::timestamptz`;
  const gapDays = sql.raw(String(days / intervalsAProduct));
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`set local work_mem = '512MB'`);
    await tx.execute(sql`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      select 'shop-' || s, '工房 ' || s, 'https://shop-' || s || '.example.com/', ${from}, ${until.toISOString()}
      from generate_series(1, ${size.shops}) s`);
    await tx.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order,
        images, variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id)
      select i, 'shop-' || 1 + i % ${size.shops}, 1, 'live', '手作りの革財布 ' || i, repeat('一点ずつ仕立てました。', 20),
        500 + ${chance("0", 1)} * 20000, 3, 1, i, '[]', '[]', '["バッグ"]', 1700000000, ${from},
        ${until.toISOString()}::timestamptz - ${chance("0", 2)} * interval '1 day',
        ${until.toISOString()}::timestamptz - ${chance("0", 3)} * interval '14 days', ${from}, 1
      from generate_series(1, ${size.products}) i`);
    await tx.execute(sql`
      insert into product_schedule (item_id, shop_id, checked_at, due_at, rate_changes, rate_days)
      select item_id, shop_id, checked_at, ${from}, ${intervalsAProduct}, ${days} from product`);
    await tx.execute(sql`
      insert into variation (item_id, variation_id, variation, variation_stock, barcode, gtin)
      select i, 1, '', 3, null, lpad((i % ${Math.ceil(size.products / 5)})::text, 14, '0')
      from generate_series(1, ${size.products}) i`);
    await tx.execute(sql`
      insert into price_interval
        (item_id, first_seen, price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
      select i, first_seen, price, stock,
        case when k > 0 then first_seen - (0.02 + ${chance("k", 5)}) * interval '1 day' end,
        lag(price) over history, lag(stock) over history, 1
      from (
        select i, k, first_seen,
          case when luck < 0.00005 then 0 when luck < 0.0001 then price * 100 else price end as price,
          case when ${chance("k", 6)} < 0.08 then 0 else 1 + k % 5 end as stock
        from (
          select i, k,
            ${from} + (k + 0.5 * ${chance("k", 4)}) * ${gapDays} * interval '1 day' as first_seen,
            ((500 + ${chance("0", 1)} * 20000) * (1 - 0.05 * ((k + i) / 3 * 7 % 9)))::bigint as price,
            ${chance("k", 7)} as luck
          from generate_series(1, ${size.products}) i, generate_series(0, ${intervalsAProduct - 1}) k
        ) drawn
      ) t window history as (partition by i order by first_seen) order by first_seen`);
    await tx.execute(sql`
      update product p set price = i.price, stock = i.stock, price_since = i.first_seen
      from (select distinct on (item_id) * from price_interval order by item_id, first_seen desc) i
      where i.item_id = p.item_id`);
  });
  await fillConfirmations(db, size, until);
  await fillCalls(db, size, until);
  await db.execute(sql`vacuum analyze`);
  await rollUp(db, until);
}

/** The roll-ups of the days that the statements read. */
async function rollUp(db: Db, until: Date): Promise<void> {
  const first = new Date(until.getTime() - 130 * 86_400_000).toISOString().slice(0, 10);
  await db.execute(sql`insert into shop_day values (${first}, 'shop-1', 0, 0, 0, 0, 0, 0, 0, 0)`);
  await rollUpShopDays(db, until);
  await rollUpCalls(db, until);
}

async function fillConfirmations(db: Db, size: AnalyticsSize, until: Date): Promise<void> {
  const months = Array.from({ length: 25 }, (_, back) =>
    new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - back, 1))
      .toISOString()
      .slice(0, 10),
  );
  for (const month of months) {
    await db.execute(sql`select prepare_confirmation_months(${month}::date)`);
    await db.execute(sql`
      insert into confirmation (month, item_id, moments)
      select ${month}, i, array(
        select d + (0.1 + 0.8 * ${chance("0", 8)}) * interval '1 day'
        from generate_series(${month}::date, least(${month}::date + interval '1 month - 1 day',
          ${until.toISOString()}::timestamptz - interval '1 day'), interval '1 day') d)
      from generate_series(1, ${size.products}) i`);
  }
}

async function fillCalls(db: Db, size: AnalyticsSize, until: Date): Promise<void> {
  const at = sql`${until.toISOString()}::timestamptz - (${size.calls} - n) * interval '8.64 s'`;
  await db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, duration_ms,
      asked, returned, created, changed, unchanged, gone, quarantined, duplicates)
    select (${at})::date, 'revalidation', 'refresh', 'revalidate', '{"shop_id":"shop-1","item_id":[1]}',
      ${at}, ${at}, 'ok', 120, 50, 50, 0, n % 4, 50 - n % 4, 0, 0, 0
    from generate_series(1, ${size.calls}) n`);
  await db.execute(sql`
    insert into budget_day (day, limit_calls, used, revalidation)
    select day, 10000, count(*), count(*) from api_call group by day on conflict do nothing`);
}

/** A worked question of `infra/analytics/questions.md`. */
interface Question {
  title: string;
  /** The SQL as printed, with values as `:name` or `:'name'`. */
  sql: string;
}

const file = fileURLToPath(new URL("../../infra/analytics/questions.md", import.meta.url));

export async function readQuestions(): Promise<Question[]> {
  const page = await readFile(file, "utf8");
  return [...page.matchAll(/^## (.+)$(?:(?!^## )[^])*?```sql\n([^]*?)```/gm)].map((match) => ({
    title: must(match[1], "a title"),
    sql: must(match[2], "a query").trim().replace(/;$/, ""),
  }));
}

/** Replaces the names by values, quoted as psql does. Throws for a name without a value. */
export function withValues(query: string, values: Record<string, string | number>): string {
  return query.replaceAll(/(?<!:):('?)([a-z_]+)\1/g, (_whole, quote: string, name: string) => {
    const value = String(must(values[name], `a value for ${name}`));
    return quote === "" ? String(Number(value)) : `'${value.replaceAll("'", "''")}'`;
  });
}

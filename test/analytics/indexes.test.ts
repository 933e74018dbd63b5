import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForAll(createTestDb);

beforeAll(async () => {
  await fillCatalogue(test.db, { shops: 2000, each: 3, at: new Date("2026-01-01T00:00:00Z") });
  await test.db.execute(sql`
    update product set state = 'gone', deleted_at = checked_at, deleted_call_id = 1 where item_id % 10 = 0`);
  await test.db.execute(sql`vacuum analyze product, shop, product_schedule, variation`);
});

const questions = {
  "a shop": "select live, gone from analytics.shops where shop_id = 's-7'",
  "the products of a shop":
    "select item_id from analytics.products where shop_id = 's-7' and state <> 'gone'",
  "how fresh a shop is": "select products from analytics.freshness where shop_id = 's-7'",
  "how often a shop changes": "select changes from analytics.shop_volatility where shop_id = 's-7'",
};

async function countRead(table: string, question: string): Promise<number> {
  return test.db.transaction(async (tx) => {
    const readSoFar = async () => {
      const [row] = await tx.execute<{ rows: number }>(sql`
        select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname ^@ ${table}`);
      return row?.rows ?? 0;
    };
    const before = await readSoFar();
    expect((await tx.execute(sql.raw(question))).length).toBeGreaterThan(0);
    return (await readSoFar()) - before;
  });
}

it.each(Object.entries(questions))("%s: no other products are read", async (_, question) => {
  // The 600 deleted ones have no index by shop.
  expect(await countRead("product", question)).toBeLessThan(700);
});

it("the lows of a product with thousands of values keep the time limit of analysts", async () => {
  const values = sql`generate_series(1, 5000) n, lateral (select '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour') t(at)`;
  await test.db.execute(sql`
    insert into price_interval (item_id, first_seen, price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
    select 1, at, 100 + n % 7, n, at - interval '1 minute', 100 + (n - 1) % 7, n - 1, 1 from ${values}`);
  await test.db.execute(sql`
    insert into confirmation (month, item_id, moments)
    select date_trunc('month', at)::date, 1, array_agg(at order by at) from ${values} where n % 24 = 0 group by 1`);
  await test.db.execute(sql`
    update product p set (price, price_since, checked_at) = (
      select price, first_seen, first_seen from price_interval i where i.item_id = p.item_id order by first_seen desc limit 1)
    where item_id = 1`);
  await test.db.execute(sql`analyze price_interval, confirmation, product`);
  const lows = await test.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '30s'`);
    return tx.execute(sql`
      select period, price from analytics.price_lows where item_id = 1`);
  });
  expect(lows).toHaveLength(4);
  expect(lows).toContainEqual({ period: "all", price: 100 });
});

it("shops are counted as their products are", async () => {
  const counted = await test.db.execute(sql`
    select shop_id, live, missing, gone, in_stock, oldest_check_at from analytics.shops order by shop_id`);
  const products = await test.db.execute(sql`
    select shop_id, count(*) filter (where state = 'live') as live, count(*) filter (where state = 'missing') as missing,
      count(*) filter (where state = 'gone') as gone, count(*) filter (where state <> 'gone' and stock > 0) as in_stock,
      min(checked_at) filter (where state <> 'gone') as oldest_check_at
    from product group by shop_id order by shop_id`);
  expect([...counted]).toEqual([...products]);
});

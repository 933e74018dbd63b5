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

it.each(Object.entries(questions))("%s: no other products are read", async (_, question) => {
  await test.db.transaction(async (tx) => {
    const fetched = async () => {
      const [row] = await tx.execute<{ rows: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'product'`);
      return row?.rows ?? 0;
    };
    const before = await fetched();
    expect((await tx.execute(sql.raw(question))).length).toBeGreaterThan(0);
    // The 600 deleted ones have no index by shop.
    expect((await fetched()) - before).toBeLessThan(700);
  });
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

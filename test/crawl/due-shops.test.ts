import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { readDueShop, readDueShops } from "../../src/crawl/learning/due-shops.ts";
import { readTotals } from "../../src/crawl/learning/statistics.ts";
import { fromDays } from "../../src/crawl/scoring/days.ts";
import type { Db } from "../../src/db/open.ts";
import { must } from "../../src/lib/must.ts";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForAll(createTestDb);

beforeAll(async () => {
  await fillCatalogue(test.db, { shops: 9000, each: 3, at: new Date("2026-01-01T00:00:00Z") });
  // One shop has a fifth of all products, and is due first.
  await test.db.execute(sql`
    update product_schedule set shop_id = 's-1', due_at = due_at + item_id * interval '1 s' where item_id <= 6000`);
  await test.db.execute(
    sql`update shop set due_at = checked_at - interval '1 day' where shop_id = 's-1'`,
  );
  await test.db.execute(sql`vacuum analyze product_schedule, shop`);
});

it("the most overdue products of a shop are read without its others, however many it has", async () => {
  const context = { totals: await readTotals(test.db), keywords: new Map() };
  const want = { shops: 3, skip: [], items: 100, busy: [], leaveFailed: false };
  await test.db.transaction(async (tx) => {
    const fetched = async () => {
      const [row] = await tx.execute<{ rows: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname = 'product_schedule'`);
      return row?.rows ?? 0;
    };
    const before = await fetched();
    // A transaction is a database for whoever only reads.
    const shops = await readDueShops(
      tx as unknown as Db,
      { ...want, now: new Date("2026-01-03T00:00:00Z") },
      context,
    );
    expect(shops[0]).toMatchObject({ shopId: "s-1" });
    const ids = shops[0]?.items.map((item) => item.itemId) ?? [];
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect((await fetched()) - before).toBeLessThan(300);
  });
});

it("products that back off are no part of a batch, and their shop is valued again when the first of them may be asked", async () => {
  const context = { totals: await readTotals(test.db), keywords: new Map() };
  const now = new Date("2026-01-03T00:00:00Z");
  const [first, second] = ["2026-01-03T06:00:00Z", "2026-01-04T00:00:00Z"];
  await test.db.execute(sql`
    insert into backoff (kind, key, failures, code, reason, call_id, first_failed_at, failed_at, retry_at)
    select 'product', item_id::text, 1, 'unreadable', '', 1, now(), now(),
      case when item_id = 7 then ${first}::timestamptz else ${second} end
    from product_schedule where item_id between 1 and 50`);
  const want = { items: 100, busy: [], now };
  const shop = must(await readDueShop(test.db, "s-1", want, context), "the shop");
  expect(shop.items.map((item) => item.itemId)).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 51),
  );
  expect(fromDays(shop.resumesAt)).toEqual(new Date(first));
  const later = { items: 100, busy: [], now: new Date(second) };
  const free = await readDueShop(test.db, "s-1", later, context);
  expect(free).toMatchObject({ resumesAt: Infinity, items: { length: 100 } });
});

import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { runMaintenance } from "../support/maintenance.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestDb);
const now = new Date("2026-06-10T03:00:00Z");
const retention = { keep_calls_days: 30, keep_confirmations_months: 2 };

beforeAll(async () => {
  await rememberTimezone(test.db, "Asia/Tokyo", now);
  const day = (n: number) => new Date(Date.UTC(2026, 2, 1 + n, 3)).toISOString();
  for (let n = 0; n < 100; n += 1) {
    const price = n === 50 ? 0 : 1000 - 100 * Math.floor(n / 20);
    await storeItems(test.db, day(n), [
      searchItem(1, { price, stock: n % 10 === 9 ? 0 : 3 }),
      searchItem(2),
    ]);
    await test.db.execute(sql`
      insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, duration_ms,
        returned, created, changed, unchanged)
      select ${day(n)}::timestamptz::date, 'revalidation', 'refresh', 'revalidate', '{}', ${day(n)}, ${day(n)}, 'ok', 10,
        50, 0, ${n} % 2, 50 - ${n} % 2 from generate_series(1, 3)`);
  }
});

const totals = async () =>
  (
    await test.db.execute(sql`
      select sum(calls) as calls, sum(returned) as returned, sum(changed) as changed, sum(duration_ms) as ms
      from analytics.call_days`)
  )[0];

describe("housekeeping", () => {
  it("sums the ledger before it drops calls that taught nothing, and loses no sum", async () => {
    const before = await totals();
    await runMaintenance(test.db, now, retention);
    const [calls] = await test.db.execute(sql`select count(*) as n from api_call`);
    expect(calls?.n).toBeLessThan(300);
    expect(await totals()).toEqual(before);
    await runMaintenance(test.db, now, retention);
    expect(await totals()).toEqual(before);
    const [days] = await test.db.execute(sql`
      select count(*) as n from analytics.call_days where day < '2026-04-01' and calls = 3`);
    expect(days?.n).toBe(31);
  });

  it("drops old months of confirmations once they are summed; intervals keep their ends", async () => {
    await runMaintenance(test.db, now, retention);
    const months = await test.db.execute(sql`
      select month::text, products, product_days as days from analytics.check_months order by month`);
    expect(months.map((row) => [row.month, row.products, row.days])).toEqual([
      ["2026-03-01", 2, 62],
      ["2026-04-01", 2, 60],
      ["2026-05-01", 2, 62],
      ["2026-06-01", 2, 16],
    ]);
    const [partitions] = await test.db.execute(sql`
      select count(*) as n from pg_class where relname = 'confirmation_2026_03'`);
    expect(partitions?.n).toBe(0);
    const kept = await test.db.execute(sql`
      select count(*) filter (where confirmed) as confirmed from analytics.price_daily
      where item_id = 1 and day between '2026-03-01' and '2026-03-31'`);
    // The first and last day of every value: days 0 8, 9, 10 18, 19, 20 28, 29, 30.
    expect(kept[0]?.confirmed).toBe(10);
    const [later] = await test.db.execute(sql`
      select count(*) filter (where confirmed) as confirmed from analytics.price_daily
      where item_id = 1 and day between '2026-05-01' and '2026-05-31'`);
    expect(later?.confirmed).toBe(31);
  });

  it("counts what each shop did on each day, believed prices only", async () => {
    await runMaintenance(test.db, now, retention);
    const [sums] = await test.db.execute(sql`
      select sum(new_products) as new, sum(drops) as drops, sum(drops_5) as drops_5, sum(rises) as rises,
        sum(sold_out) as sold_out, sum(restocked) as restocked, sum(glitches) as glitches from analytics.shop_days`);
    expect(sums).toEqual({
      new: 2,
      drops: 4,
      drops_5: 4,
      rises: 0,
      sold_out: 10,
      restocked: 9,
      glitches: 1,
    });
  });

  it("counts as changes new values of price, list price or stock, not a return with the same ones", async () => {
    const other = await createTestDb();
    onTestFinished(() => other.close());
    await rememberTimezone(other.db, "Asia/Tokyo", now);
    const seenAs = (day: string, over: Partial<SearchItem>) =>
      storeItems(other.db, `2026-06-${day}T03:00:00Z`, [searchItem(1), searchItem(2, over)]);
    await seenAs("01", { properPrice: null });
    await removeItem(other.db, "2026-06-02T03:00:00Z", 2);
    await seenAs("03", { properPrice: null });
    await seenAs("04", { properPrice: 9000 });
    await removeItem(other.db, "2026-06-05T03:00:00Z", 2);
    await seenAs("06", { properPrice: 9000 });
    await seenAs("07", { properPrice: 9000, stock: 1 });
    await seenAs("08", { properPrice: 9000, stock: 1, price: 10 });
    await removeItem(other.db, "2026-06-08T04:00:00Z", 2);
    await seenAs("09", { properPrice: null, stock: 1, price: 10 });
    await runMaintenance(other.db, now, retention);
    const days = await other.db.execute(sql`
      select to_char(day, 'DD') as day, new_products, changes from analytics.shop_days order by day`);
    expect(days.map((row) => [row.day, row.new_products, row.changes])).toEqual([
      ["01", 2, 0],
      ["03", 0, 0],
      ["04", 0, 1],
      ["06", 0, 0],
      ["07", 0, 1],
      ["08", 0, 1],
      ["09", 0, 1],
    ]);
  });

  it("counts each change of a day of 25 hours once", async () => {
    const other = await createTestDb();
    try {
      await rememberTimezone(other.db, "America/New_York", now);
      // The first and last moment of the day, and a quarter past one in summer and in winter time.
      const times = ["02T04:00:00", "02T05:15:00", "02T06:15:00", "03T04:59:59", "03T05:00:00"];
      for (const [i, time] of times.entries()) {
        await storeItems(other.db, `2025-11-${time}Z`, [searchItem(i + 1)]);
      }
      await runMaintenance(other.db, new Date("2025-11-05T12:00:00Z"), retention);
      const days = await other.db.execute(sql`
        select day::text, sum(new_products) as new from analytics.shop_days group by day order by day`);
      expect(days.map((row) => [row.day, row.new])).toEqual([
        ["2025-11-02", 4],
        ["2025-11-03", 1],
      ]);
    } finally {
      await other.close();
    }
  });
});

it.each([
  // The hour after midnight comes twice.
  ["America/Havana", "2026-11-01T04:30:00Z", "2026-11-01"],
  // The day before has half an hour more.
  ["Australia/Lord_Howe", "2026-04-05T13:45:00Z", "2026-04-06"],
])(
  "counts a change on its calendar day alone where clocks go back, in %s",
  async (zone, at, day) => {
    const own = await createTestDb();
    onTestFinished(own.close);
    const nextWeek = new Date(new Date(at).getTime() + 7 * 86_400_000);
    await rememberTimezone(own.db, zone, nextWeek);
    await storeItems(own.db, new Date(new Date(at).getTime() - 2 * 86_400_000).toISOString(), [
      searchItem(1, { price: 1000 }),
    ]);
    await storeItems(own.db, at, [searchItem(1, { price: 800 })]);
    await runMaintenance(own.db, nextWeek);
    const rows = await own.db.execute(sql`
    select day::text, drops from analytics.shop_days where changes > 0`);
    expect([...rows]).toEqual([{ day, drops: 1 }]);
  },
);

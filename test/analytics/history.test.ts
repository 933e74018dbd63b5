import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { removeItem, seen, storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestDb);

beforeAll(async () => {
  await rememberTimezone(test.db, "Asia/Tokyo", new Date("2026-01-01T00:00:00Z"));
});

interface PriceAt {
  price: number | null;
  state: string;
  confirmed: boolean;
  distance_s: number | null;
}

async function priceAt(itemId: number, at: string): Promise<PriceAt> {
  const [row] = await test.db.execute<PriceAt & Record<string, unknown>>(sql`
    select price, state, confirmed, extract(epoch from distance)::float8 as distance_s
    from analytics.price_at(${itemId}, ${at}::timestamptz)`);
  const { price, state, confirmed, distance_s } = must(row, "one row");
  return { price, state, confirmed, distance_s };
}

async function days(itemId: number, from: string, to: string) {
  const rows = await test.db.execute<{ day: string; price: number | null; last: number }>(sql`
    select day::text, price, last_known_price as last from analytics.price_daily
    where item_id = ${itemId} and day between ${from} and ${to} order by day`);
  return rows.map((row) => [row.day, row.price, row.last]);
}

describe("price_at", () => {
  it("gives the value last seen and how far the nearest confirmation lies", async () => {
    const id = await seen(
      test.db,
      ["2026-01-10T03:00:00Z", { price: 1000 }],
      ["2026-01-12T03:00:00Z", { price: 1000 }],
      ["2026-01-12T09:00:00Z", { price: 800 }],
    );
    expect(await priceAt(id, "2026-01-09T00:00:00Z")).toMatchObject({
      price: null,
      state: "unseen",
    });
    expect(await priceAt(id, "2026-01-10T04:00:00Z")).toEqual({
      price: 1000,
      state: "confirmed",
      confirmed: true,
      distance_s: 3600,
    });
    expect(await priceAt(id, "2026-01-11T03:00:00Z")).toEqual({
      price: 1000,
      state: "between",
      confirmed: false,
      distance_s: 86_400,
    });
    expect(await priceAt(id, "2026-01-12T04:00:00Z")).toMatchObject({
      price: 1000,
      distance_s: 3600,
    });
    expect(await priceAt(id, "2026-01-12T10:00:00Z")).toMatchObject({
      price: 800,
      confirmed: true,
    });
    expect(await priceAt(id, "2026-01-20T09:00:00Z")).toEqual({
      price: 800,
      state: "unknown",
      confirmed: false,
      distance_s: 8 * 86_400,
    });
  });

  it("answers for a product never seen", async () => {
    expect(await priceAt(1, "2026-01-10T00:00:00Z")).toEqual({
      price: null,
      state: "unseen",
      confirmed: false,
      distance_s: null,
    });
  });

  it("says gone after a proven deletion, and goes on where a product comes back", async () => {
    await storeItems(test.db, "2026-01-09T00:00:00Z", [searchItem(1)]);
    const id = await seen(test.db, ["2026-01-10T03:00:00Z", { price: 1000 }]);
    await removeItem(test.db, "2026-01-12T03:00:00Z", id);
    expect(await priceAt(id, "2026-01-11T03:00:00Z")).toMatchObject({
      price: 1000,
      state: "unknown",
    });
    expect(await priceAt(id, "2026-01-12T03:00:00Z")).toMatchObject({
      state: "gone",
      confirmed: false,
    });
    expect((await days(id, "2026-01-01", "2026-02-01")).map(([day]) => day)).toEqual([
      "2026-01-10",
      "2026-01-11",
      "2026-01-12",
    ]);
    await storeItems(test.db, "2026-01-15T03:00:00Z", [
      searchItem(id, { price: 1000, shopId: "shop-2" }),
    ]);
    expect(await priceAt(id, "2026-01-15T03:00:00Z")).toMatchObject({
      price: 1000,
      confirmed: true,
    });
    const [product] = await test.db.execute(sql`
      select state, deletions from analytics.products where item_id = ${id}`);
    expect(product).toEqual({ state: "live", deletions: 1 });
    const history = await test.db.execute(sql`
      select first_seen, last_confirmed from analytics.price_history where item_id = ${id} order by 1`);
    expect(history.map((row) => [row.first_seen, row.last_confirmed])).toEqual([
      ["2026-01-10 03:00:00+00", "2026-01-10 03:00:00+00"],
      ["2026-01-15 03:00:00+00", "2026-01-15 03:00:00+00"],
    ]);
    expect(await days(id, "2026-01-10", "2026-01-15")).toEqual([
      ["2026-01-10", 1000, 1000],
      ["2026-01-11", null, 1000],
      ["2026-01-12", null, 1000],
      ["2026-01-13", null, 1000],
      ["2026-01-14", null, 1000],
      ["2026-01-15", 1000, 1000],
    ]);
  });
});

describe("price_at of a product that was deleted and returned on one day", () => {
  it("says gone of the moments between, whatever the value was before and after", async () => {
    await storeItems(test.db, "2026-01-09T00:00:00Z", [searchItem(1)]);
    const id = await seen(test.db, ["2026-01-10T03:00:00Z", { price: 1000 }]);
    await removeItem(test.db, "2026-01-10T05:00:00Z", id);
    await storeItems(test.db, "2026-01-10T07:00:00Z", [searchItem(id, { price: 1000 })]);
    await orderChanges(test.db, systemClock);
    // Changes are dated by the database's clock, some time after the call.
    await test.db.execute(sql`
      update product_change set at = case kind when 'deleted' then '2026-01-10T05:00:01Z'::timestamptz
        when 'returned' then '2026-01-10T07:00:01Z' else '2026-01-10T03:00:01Z' end where item_id = ${id}`);
    const states = ["04:00:00", "05:30:00", "07:00:00", "07:00:01", "08:00:00"].map(
      async (time) => (await priceAt(id, `2026-01-10T${time}Z`)).state,
    );
    const [before, between, ...after] = await Promise.all(states);
    expect([before, between]).toEqual(["confirmed", "gone"]);
    expect(new Set(after)).toEqual(new Set(["confirmed"]));
    expect(await priceAt(id, "2026-01-10T05:30:00Z")).toMatchObject({ confirmed: false });
  });
});

describe("the daily series", () => {
  it("counts days by the marketplace's calendar and shows the last price confirmed on each", async () => {
    const id = await seen(
      test.db,
      ["2026-01-10T14:59:59Z", { price: 1000 }],
      ["2026-01-10T15:00:00Z", { price: 900 }],
      ["2026-01-11T14:59:59Z", { price: 800 }],
    );
    expect(await days(id, "2026-01-01", "2026-01-12")).toEqual([
      ["2026-01-10", 1000, 1000],
      ["2026-01-11", 800, 800],
      ["2026-01-12", null, 800],
    ]);
  });

  it("is the same for a session whose own clocks change at midnight", async () => {
    const id = await seen(
      test.db,
      ["2026-09-04T03:00:00Z", { price: 1000 }],
      ["2026-09-07T03:00:00Z", { price: 800 }],
    );
    await removeItem(test.db, "2026-09-08T03:00:00Z", id);
    const rows = await test.db.transaction(async (tx) => {
      await tx.execute(sql`set local timezone to 'America/Santiago'`);
      return tx.execute(sql`
        select day::text, price from analytics.price_daily where item_id = ${id} order by day`);
    });
    expect(rows.map(({ day, price }) => [day, price])).toEqual([
      ["2026-09-04", 1000],
      ["2026-09-05", null],
      ["2026-09-06", null],
      ["2026-09-07", 800],
      ["2026-09-08", null],
    ]);
  });

  it("has of a day no price of the next one, though clocks go back to midnight then", async () => {
    await rememberTimezone(test.db, "America/Havana", new Date());
    onTestFinished(async () => {
      await rememberTimezone(test.db, "Asia/Tokyo", new Date());
    });
    const id = await seen(
      test.db,
      ["2026-11-01T03:59:00Z", { price: 1000 }],
      ["2026-11-01T04:30:00Z", { price: 800 }],
    );
    expect(await days(id, "2026-10-31", "2026-11-01")).toEqual([
      ["2026-10-31", 1000, 1000],
      ["2026-11-01", 800, 800],
    ]);
  });

  it("does not take an interval that agrees at both ends for a look in between", async () => {
    const id = await seen(
      test.db,
      ["2026-01-10T03:00:00Z", { price: 1000 }],
      ["2026-01-31T03:00:00Z", { price: 1000 }],
      ["2026-02-02T03:00:00Z", { price: 1000 }],
      ["2026-02-02T04:00:00Z", { price: 1000 }],
    );
    const confirmed = (await days(id, "2026-01-01", "2026-02-28")).filter(
      ([, price]) => price !== null,
    );
    expect(confirmed.map(([day]) => day)).toEqual(["2026-01-10", "2026-01-31", "2026-02-02"]);
  });

  it("confirms nothing on days that only a clock running ahead has reached", async () => {
    const id = await seen(
      test.db,
      ["2026-01-30T03:00:00Z", { price: 1000 }],
      ["2026-01-31T03:00:00Z", { price: 1000 }],
      ["2026-02-02T03:00:00Z", { price: 1000 }],
      ["2026-01-30T04:00:00Z", { price: 1000 }],
      ["2026-01-30T05:00:00Z", { price: 800 }],
      ["2026-02-03T03:00:00Z", { price: 800 }],
    );
    const confirmed = (await days(id, "2026-01-01", "2026-02-28")).filter(
      ([, price]) => price !== null,
    );
    expect(confirmed.map(([day, price]) => [day, price])).toEqual([
      ["2026-01-30", 800],
      ["2026-02-03", 800],
    ]);
    expect((await priceAt(id, "2026-02-02T03:00:00Z")).state).toBe("between");
  });

  it("keeps its days when their months are given partitions of their own", async () => {
    const id = await seen(
      test.db,
      ["2025-11-29T03:00:00Z", { price: 1000 }],
      ["2025-11-30T03:00:00Z", { price: 1000 }],
      ["2025-12-01T03:00:00Z", { price: 1000 }],
    );
    const before = await days(id, "2025-11-29", "2025-12-02");
    await test.db.execute(sql`select prepare_confirmation_months('2025-12-31')`);
    await test.db.execute(sql`select prepare_confirmation_months('2025-12-31')`);
    await storeItems(test.db, "2025-12-02T03:00:00Z", [
      searchItem(id, { price: 1000, properPrice: null }),
    ]);
    expect(before).toHaveLength(4);
    expect((await days(id, "2025-11-29", "2025-12-02")).map(([, price]) => price)).toEqual([
      1000, 1000, 1000, 1000,
    ]);
    const [rows] = await test.db.execute<{ n: number }>(
      sql`select count(*) as n from confirmation_unsorted`,
    );
    expect(rows?.n).toBe(0);
  });
});

it("says how long sold-out lasted at least and at most", async () => {
  const id = await seen(
    test.db,
    ["2026-01-10T00:00:00Z", { stock: 1 }],
    ["2026-01-11T00:00:00Z", { stock: 0 }],
    ["2026-01-12T00:00:00Z", { stock: 0, price: 4000 }],
    ["2026-01-14T00:00:00Z", { stock: 5 }],
    ["2026-01-15T00:00:00Z", { stock: 0 }],
  );
  const rows = await test.db.execute(sql`
    select outcome, extract(epoch from at_least)::int / 3600 as least, extract(epoch from at_most)::int / 3600 as most
    from analytics.sold_out where item_id = ${id} order by first_sold_out`);
  expect([...rows]).toEqual([
    { outcome: "back", least: 24, most: 96 },
    { outcome: "open", least: null, most: null },
  ]);
});

it("gives as first sight of a period's low a moment at which somebody looked", async () => {
  const daysAgo = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
  const looks = [100, 20, 2].map(daysAgo);
  const id = await seen(
    test.db,
    ...looks.map((at): [string, { price: number }] => [at, { price: 1000 }]),
  );
  const lows = await test.db.execute<{ period: string; at: number; looks: number }>(sql`
    select period, (extract(epoch from first_seen) * 1000)::bigint as at, low_confirmations as looks
    from analytics.price_lows where item_id = ${id} order by period`);
  expect(lows.map(({ period, at, looks: n }) => [period, new Date(at).toISOString(), n])).toEqual([
    ["1y", looks[0], 3],
    ["30d", looks[1], 2],
    ["90d", looks[1], 2],
    ["all", looks[0], 3],
  ]);
});

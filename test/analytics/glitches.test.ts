import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { seen, storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestDb);
beforeAll(async () => {
  await rememberTimezone(test.db, "Asia/Tokyo", new Date("2026-01-01T00:00:00Z"));
});

const glitches = async (itemId: number) =>
  (
    await test.db.execute(sql`
        select price, glitch from analytics.price_history where item_id = ${itemId} order by first_seen`)
  ).map((row) => [row.price, row.glitch]);
const low = async (itemId: number) =>
  (
    await test.db.execute(sql`
        select price, low_confirmations as low, confirmations as sample, glitches from analytics.price_lows
        where item_id = ${itemId} and period = 'all'`)
  )[0];

it("flags a price of zero", async () => {
  const id = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-11T03:00:00Z", { price: 0 }],
    ["2026-01-12T03:00:00Z", { price: 0 }],
    ["2026-01-13T03:00:00Z", { price: 900 }],
  );
  expect(await glitches(id)).toEqual([
    [1000, null],
    [0, "zero"],
    [900, null],
  ]);
  expect(await low(id)).toEqual({ price: 900, low: 1, sample: 2, glitches: 1 });
});

it("flags what is a hundred times off for a short while, also across stock changes", async () => {
  const id = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-12T03:00:00Z", { price: 1000 }],
    ["2026-01-13T03:00:00Z", { price: 10, stock: 3 }],
    ["2026-01-14T03:00:00Z", { price: 10, stock: 2 }],
    ["2026-01-15T03:00:00Z", { price: 10, stock: 1 }],
    ["2026-01-16T03:00:00Z", { price: 1000 }],
  );
  expect((await glitches(id)).map(([, glitch]) => glitch)).toEqual([
    null,
    "hundredfold",
    "hundredfold",
    "hundredfold",
    null,
  ]);
  expect(await low(id)).toMatchObject({ price: 1000, sample: 3, glitches: 3 });
});

it("flags a price that is a hundred times off as long as it stands, also when pieces are sold at it", async () => {
  const looks: Parameters<typeof seen>[1][] = [
    ["2026-01-10T03:00:00Z", { price: 1000, stock: 5 }],
    ["2026-01-20T03:00:00Z", { price: 1000, stock: 5 }],
    ["2026-01-21T03:00:00Z", { price: 10, stock: 4 }],
    ["2026-01-21T06:00:00Z", { price: 10, stock: 3 }],
  ];
  const id = await seen(test.db, ...looks);
  const flags = async (itemId: number) => (await glitches(itemId)).map(([, glitch]) => glitch);
  expect(await flags(id)).toEqual([null, "hundredfold", "hundredfold"]);
  expect(await low(id)).toMatchObject({ price: 1000, glitches: 2 });
  const corrected = await seen(test.db, ...looks, ["2026-01-22T03:00:00Z", { price: 900 }]);
  expect(await flags(corrected)).toEqual([null, "hundredfold", "hundredfold", null]);
});

it("takes no price for held while the shop stated none", async () => {
  const id = await seen(
    test.db,
    ["2026-01-01T03:00:00Z", { price: 1000 }],
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-11T03:00:00Z", { price: 10 }],
    ["2026-01-12T03:00:00Z", { price: 0 }],
    ["2026-02-10T03:00:00Z", { price: 0 }],
    ["2026-02-11T03:00:00Z", { price: 1000 }],
  );
  expect((await glitches(id)).map(([, glitch]) => glitch)).toEqual([
    null,
    "hundredfold",
    "zero",
    null,
  ]);
});

it("believes a hundredfold price that stays", async () => {
  const id = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-20T03:00:00Z", { price: 1000 }],
    ["2026-01-21T03:00:00Z", { price: 10 }],
    ["2026-01-29T03:00:00Z", { price: 10 }],
  );
  expect((await glitches(id)).map(([, glitch]) => glitch)).toEqual([null, null]);
});

it("flags what is back within a check, and believes what was seen twice", async () => {
  const blip = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-11T03:00:00Z", { price: 500 }],
    ["2026-01-12T03:00:00Z", { price: 1000 }],
  );
  expect((await glitches(blip)).map(([, glitch]) => glitch)).toEqual([null, "blip", null]);
  expect(await low(blip)).toMatchObject({ price: 1000, glitches: 1 });
  const sale = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-11T03:00:00Z", { price: 500 }],
    ["2026-01-11T09:00:00Z", { price: 500 }],
    ["2026-01-12T03:00:00Z", { price: 1000 }],
  );
  expect((await glitches(sale)).map(([, glitch]) => glitch)).toEqual([null, null, null]);
  expect(await low(sale)).toMatchObject({ price: 500, low: 2 });
});

it("does not call the way back from a glitch a discount", async () => {
  const id = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-11T03:00:00Z", { price: 5000 }],
    ["2026-01-12T03:00:00Z", { price: 1000 }],
    ["2026-01-13T03:00:00Z", { price: 900 }],
  );
  const drops = await test.db.execute(sql`
      select previous_price, price, percent, glitch, still_so from analytics.price_drops
      where item_id = ${id} order by seen_at`);
  expect([...drops]).toEqual([
    { previous_price: 5000, price: 1000, percent: 80, glitch: "recovery", still_so: false },
    { previous_price: 1000, price: 900, percent: 10, glitch: null, still_so: true },
  ]);
});

it("says of a drop that it is still so while only the stock has changed", async () => {
  const id = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000, stock: 5 }],
    ["2026-01-11T03:00:00Z", { price: 800, stock: 5 }],
    ["2026-01-12T03:00:00Z", { price: 800, stock: 4 }],
  );
  const stillSo = () =>
    test.db.execute(
      sql`select price, still_so from analytics.price_drops where item_id = ${id} order by seen_at`,
    );
  expect([...(await stillSo())]).toEqual([{ price: 800, still_so: true }]);
  for (const [at, price] of [
    ["13", 900],
    ["14", 800],
  ] as const)
    await storeItems(test.db, `2026-01-${at}T03:00:00Z`, [
      searchItem(id, { price, properPrice: null }),
    ]);
  expect([...(await stillSo())]).toEqual([
    { price: 800, still_so: false },
    { price: 800, still_so: true },
  ]);
});

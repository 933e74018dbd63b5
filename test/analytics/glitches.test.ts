import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { seen } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

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

import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { readProduct, readProducts } from "../../../src/catalog/products.ts";
import type { SearchItem } from "../../../src/storefront/product.ts";
import { removeItem, seen, storeItems } from "../../support/catalog.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";

const test = openedForAll(createTestDb);

const DAY_MS = 86_400_000;
const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * DAY_MS).toISOString();

type Look = readonly [day: number, price: number, properPrice?: number | null];

const storeLooks = (looks: readonly Look[]) =>
  seen(
    test.db,
    ...looks.map(([n, price, properPrice = null]): [string, Partial<SearchItem>] => [
      day(n),
      { price, properPrice },
    ]),
  );

async function reductionOf(looks: readonly Look[]) {
  const product = await readProduct(test.db, await storeLooks(looks));
  return product?.reduction;
}

/** A look every third day at one price. */
const steady = (from: number, to: number, price: number): Look[] =>
  Array.from({ length: Math.floor((to - from) / 3) + 1 }, (_, i) => [from + i * 3, price] as const);

it("holds if no lower price was confirmed in the 30 days before", async () => {
  expect(await reductionOf([...steady(0, 45, 1000), [46, 800, 1000]])).toEqual({
    low30d: 1000,
    holds: true,
  });
});

it("does not hold after a price that was raised only to be reduced", async () => {
  const looks: Look[] = [...steady(0, 36, 800), ...steady(39, 45, 1000), [46, 800, 1000]];
  expect(await reductionOf(looks)).toEqual({ low30d: 800, holds: false });
});

it("does not see a low that ended more than 30 days before", async () => {
  const looks: Look[] = [...steady(0, 9, 500), ...steady(10, 46, 1000), [47, 800, 1000]];
  expect(await reductionOf(looks)).toEqual({ low30d: 1000, holds: true });
});

it("looks back from the first check with the present price, not from a later change of stock", async () => {
  const itemId = await storeLooks([...steady(0, 45, 1000), [46, 800, 1000]]);
  for (const [n, stock] of [
    [50, 2],
    [90, 1],
  ] as const) {
    await storeItems(test.db, day(n), [
      searchItem(itemId, { price: 800, properPrice: 1000, stock }),
    ]);
  }
  expect((await readProduct(test.db, itemId))?.reduction).toEqual({ low30d: 1000, holds: true });
});

it("is unknown if the product was first seen within the 30 days, or not for more than 7 of them", async () => {
  expect(await reductionOf([[0, 800, 1000]])).toEqual({ low30d: null, holds: null });
  expect(await reductionOf([...steady(20, 45, 1000), [46, 800, 1000]])).toEqual({
    low30d: 1000,
    holds: null,
  });
  const gap: Look[] = [...steady(0, 27, 1000), ...steady(35, 45, 1000), [46, 800, 1000]];
  expect(await reductionOf(gap)).toEqual({ low30d: 1000, holds: null });
});

it("counts a price of 0 as a look, not as a price", async () => {
  const looks: Look[] = [...steady(0, 30, 1000), ...steady(33, 45, 0), [46, 800, 1000]];
  expect(await reductionOf(looks)).toEqual({ low30d: 1000, holds: true });
});

it("is absent for a price that is not below the proper price, for no price, and for a deleted product", async () => {
  expect(await reductionOf([[0, 800]])).toBeNull();
  expect(await reductionOf([[0, 800, 800]])).toBeNull();
  expect(await reductionOf([[0, 0, 800]])).toBeNull();
  const itemId = await storeLooks([[0, 800, 1000]]);
  await removeItem(test.db, day(1), itemId);
  expect((await readProduct(test.db, itemId))?.reduction).toBeNull();
});

it("is what plain counting over the looks says", async () => {
  const history = fc.array(
    fc.record({
      gap: fc.constantFrom(1, 1, 1, 2, 5, 7, 8),
      price: fc.constantFrom(800, 900, 900, 1000),
    }),
    { minLength: 5, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      let at = 0;
      const looks = steps.map(({ gap, price }): Look => [(at += gap), price, 2000]);
      expect(await reductionOf(looks)).toEqual(judge(looks));
    }),
    { numRuns: inject("long") ? 40 : 8 },
  );
});

/** One look a day at most, so that every one is kept. */
function judge(looks: readonly Look[]) {
  const last = looks.at(-1);
  const present = last?.[1] ?? 0;
  const other = looks.findLastIndex(([, price]) => price !== present);
  const [reducedAt = 0] = looks[other + 1] ?? [];
  if (other === -1) return { low30d: null, holds: null };
  const before = looks.filter(([n]) => n >= reducedAt - 30 && n < reducedAt);
  const low30d = before.length === 0 ? null : Math.min(...before.map(([, price]) => price));
  const times = [reducedAt - 30, ...before.map(([n]) => n), reducedAt];
  const gaps = times.slice(1).map((n, i) => n - (times[i] ?? n));
  const isKnown = (looks[0]?.[0] ?? reducedAt) <= reducedAt - 30 && Math.max(...gaps) <= 7;
  return { low30d, holds: isKnown && low30d !== null ? present < low30d : null };
}

it("is read for a page of products in one statement that reads little, however long their history", async () => {
  const ids = Array.from({ length: 20 }, (_, i) => 5000 + i);
  await storeItems(
    test.db,
    day(0),
    ids.map((id) => searchItem(id, { price: 900, properPrice: 1000 })),
  );
  await test.db.execute(sql`
    insert into price_interval (item_id, first_seen, price, proper_price, stock, prev_confirmed_at, call_id)
    select 5000 + i, ${day(0)}::timestamptz + n * interval '1 hour', case when n < 2000 then 1000 + n else 900 end, 1000, 1,
      ${day(0)}::timestamptz + n * interval '1 hour', 1
    from generate_series(0, 19) i, generate_series(1, 2000) n`);
  await test.db.execute(sql`update product set checked_at = ${day(90)} where item_id >= 5000`);
  const products = await readProducts(test.db, ids);
  expect(products.get(5000)?.reduction).toEqual({ low30d: 2501, holds: null });
  const [plan] = await test.db.execute<{ "QUERY PLAN": { Plan: unknown }[] }>(sql`
    explain (analyze, format json) select r.* from unnest(array[5000, 5001]) w(id),
      lateral (select * from analytics.reductions r where r.item_id = w.id offset 0) r`);
  const rows = [...JSON.stringify(plan).matchAll(/"Actual Rows":([\d.]+)/g)].map((m) =>
    Number(m[1]),
  );
  expect(Math.max(...rows)).toBeLessThanOrEqual(1002);
});

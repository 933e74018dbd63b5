import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { createProductReader, type ProductRecord } from "../../src/catalog/products.ts";
import type { Db } from "../../src/db/open.ts";
import { createCache } from "../../src/lib/cache.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const ids = [1, 2, 3];
const test = openedForAll(createTestDb);
beforeAll(async () => {
  const items = ids.map((id) => searchItem(id));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
});

function createReader(db: Db): (itemIds: readonly number[]) => Promise<Map<number, ProductRecord>> {
  const read = createProductReader(db, createCache(systemClock));
  return async (itemIds) => (await read(itemIds)).records;
}

async function priceOf(read: ReturnType<typeof createReader>, id: number): Promise<number> {
  return must((await read(ids)).get(id), "the product").price;
}

async function setPrice(db: Pick<Db, "execute">, id: number, price: number): Promise<void> {
  await db.execute(sql`update product set price = ${price} where item_id = ${id}`);
}

it("gives the same object for a product unchanged, and another once it was written", async () => {
  const read = createReader(test.db);
  const [before, again] = [await read(ids), await read(ids)];
  expect(ids.map((id) => again.get(id) === before.get(id))).toEqual([true, true, true]);
  await setPrice(test.db, 2, 222);
  const after = await read(ids);
  expect(ids.map((id) => after.get(id) === before.get(id))).toEqual([true, false, true]);
  expect(after.get(2)?.price).toBe(222);
});

it("sees a shop renamed, and leaves out what is unknown", async () => {
  const read = createReader(test.db);
  await read(ids);
  await test.db.execute(sql`update shop set shop_name = '新しい名'`);
  const after = await read([...ids, 99]);
  expect([...after.values()].map(({ shop }) => shop.shopName)).toEqual(ids.map(() => "新しい名"));
});

it("sees what commits after later transactions already have", async () => {
  const read = createReader(test.db);
  const before = await priceOf(read, 1);
  const hasWritten = signal();
  const mayCommit = signal();
  const early = test.db.transaction(async (tx) => {
    await setPrice(tx, 1, 111);
    hasWritten.give();
    await mayCommit.given;
  });
  await hasWritten.given;
  await setPrice(test.db, 3, 333);
  expect(await priceOf(read, 1)).toBe(before);
  expect(await priceOf(read, 1)).toBe(before);
  mayCommit.give();
  await early;
  expect(await priceOf(read, 1)).toBe(111);
});

function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { observeRefresh } from "../../../src/catalog/observing/observe.ts";
import { unitPrices } from "../../../src/catalog/unit-price/unit-prices.ts";
import { rewriteInSlices } from "../../../src/catalog/upkeep/slices.ts";
import type { RefreshItem, SearchItem } from "../../../src/storefront/product.ts";
import { removeItem, storeItems } from "../../support/catalog.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem, variation } from "../../support/products.ts";

const test = openedForAll(createTestDb);

let minute = 0;
const next = () => new Date(Date.UTC(2026, 0, 1, 0, (minute += 1))).toISOString();
const store = (...items: SearchItem[]) => storeItems(test.db, next(), items);
const running = new AbortController().signal;

const named = (name: string) => variation({ variation: name });

const water = (itemId: number, over: Partial<SearchItem> = {}) =>
  searchItem(itemId, { title: "天然水 500ml×24本", price: 2400, variations: [], ...over });

async function refresh(item: RefreshItem): Promise<void> {
  const sighting = { callId: 1000 + minute, sentAt: new Date(next()) };
  const request = { shopId: item.shopId, itemIds: [item.itemId] };
  await test.db.transaction((tx) =>
    observeRefresh(tx, sighting, { asked: request, items: [item], broken: [] }),
  );
}

async function stored(itemId: number) {
  const [row] = await test.db.execute<{ content: number; unit: string; amount: number }>(
    sql`select content, unit, amount from unit_price where item_id = ${itemId}`,
  );
  return row ? `${row.content} ${row.unit} at ${row.amount}` : null;
}

it("is written with the product, and follows its price, title and variations", async () => {
  await store(water(1), searchItem(2));
  expect([await stored(1), await stored(2)]).toEqual(["12000 ml at 20", null]);
  await store(water(1, { price: 1200 }));
  expect(await stored(1)).toBe("12000 ml at 10");
  await store(water(1, { title: "天然水", variations: [named("2L×6本")] }));
  expect(await stored(1)).toBe("12000 ml at 20");
  await store(water(1, { variations: [named("500ml×24本"), named("2L×6本")] }));
  expect(await stored(1)).toBe("12000 ml at 20");
  await store(water(1, { variations: [named("500ml×48本")] }));
  expect(await stored(1)).toBeNull();
  await store(water(1, { price: 0 }));
  expect(await stored(1)).toBeNull();
});

it("follows a refresh, which does not show variations", async () => {
  const item = water(3, { title: "天然水", variations: [named("1L")] });
  await store(item);
  const { properPrice, visible, listOrder, identifier, variations, ...refreshed } = item;
  await refresh({ ...refreshed, price: 150 });
  expect(await stored(3)).toBe("1000 ml at 15");
  await refresh({ ...refreshed, price: 150, title: "天然水 2リットル" });
  expect(await stored(3)).toBeNull();
});

it("is read of products stored before, in slices that go on where they ended, once", async () => {
  const ids = Array.from({ length: 25 }, (_, i) => 100 + i);
  await store(...ids.map((id) => water(id)), water(200));
  await removeItem(test.db, next(), 200);
  await test.db.execute(sql`delete from unit_price`);
  const stop = new AbortController();
  stop.abort();
  await rewriteInSlices(test.db, stop.signal, unitPrices, 10);
  expect(await stored(100)).toBeNull();
  await rewriteInSlices(test.db, running, unitPrices, 10);
  expect(await Promise.all([...ids, 200].map(stored))).toEqual(
    [...ids, 200].map(() => "12000 ml at 20"),
  );
  await test.db.execute(sql`delete from unit_price where item_id = 100`);
  await rewriteInSlices(test.db, running, unitPrices, 10);
  expect(await stored(100)).toBeNull();
});

it("is read again when titles are read in another way than before", async () => {
  await test.db.execute(
    sql`update setting set value = '{"version": 0, "after_id": null}' where key = 'unit_prices'`,
  );
  await rewriteInSlices(test.db, running, unitPrices);
  expect(await stored(100)).toBe("12000 ml at 20");
});

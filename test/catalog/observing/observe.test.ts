import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  observeRefresh,
  observeSearch,
  type ObserveResult,
} from "../../../src/catalog/observing/observe.ts";
import { readHistory } from "../../../src/catalog/history/history.ts";
import { readProduct, type ProductRecord } from "../../../src/catalog/products.ts";
import { must } from "../../../src/lib/must.ts";
import type { RefreshItem, SearchItem } from "../../../src/storefront/product.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";

const test = openedForAll(createTestDb);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
let nextId = 1000;
const freshId = () => (nextId += 1);
let callId = 0;

function search(second: number, items: SearchItem[]): Promise<ObserveResult> {
  const sighting = { callId: (callId += 1), sentAt: at(second) };
  return test.db.transaction((tx) => observeSearch(tx, sighting, { items, broken: [] }));
}

function refresh(
  second: number,
  items: RefreshItem[],
  asked = items.map((i) => i.itemId),
): Promise<ObserveResult> {
  const sighting = { callId: (callId += 1), sentAt: at(second) };
  const request = { shopId: "shop-1", itemIds: asked };
  return test.db.transaction((tx) =>
    observeRefresh(tx, sighting, { asked: request, items, broken: [] }),
  );
}

function asRefreshed(item: SearchItem, over: Partial<RefreshItem> = {}): RefreshItem {
  const { properPrice, visible, listOrder, identifier, variations, ...carried } = item;
  return { ...carried, ...over };
}

async function product(id: number): Promise<ProductRecord> {
  return must(await readProduct(test.db, id), `product ${id}`);
}

describe("the write path", () => {
  it("stores every field a search shows", async () => {
    const id = freshId();
    const item = searchItem(id);
    expect((await search(1, [item])).tally).toEqual({
      returned: 1,
      created: 1,
      changed: 0,
      unchanged: 0,
      quarantined: 0,
      duplicates: 0,
    });
    const { itemId, shopId, shopName, shopUrl, ...content } = item;
    expect(await product(id)).toMatchObject({
      itemId,
      ver: 1,
      state: "live",
      ...content,
      shop: { shopId, shopName, shopUrl },
      firstSeenAt: at(1),
      checkedAt: at(1),
      priceSince: at(1),
    });
  });

  it("raises the version for real change only, and the check time always", async () => {
    const id = freshId();
    await search(1, [searchItem(id)]);
    expect((await search(2, [searchItem(id)])).tally.unchanged).toBe(1);
    expect(await product(id)).toMatchObject({ ver: 1, checkedAt: at(2), changedAt: at(1) });
    expect((await search(3, [searchItem(id, { title: "新作" })])).tally.changed).toBe(1);
    expect(await product(id)).toMatchObject({
      ver: 2,
      checkedAt: at(3),
      changedAt: at(3),
      priceSince: at(1),
    });
  });

  it("a refresh changes none of the fields it does not carry", async () => {
    const id = freshId();
    const item = searchItem(id);
    await search(1, [item]);
    await refresh(2, [asRefreshed(item, { price: 3900, stock: 1 })]);
    expect(await product(id)).toMatchObject({
      price: 3900,
      stock: 1,
      properPrice: item.properPrice,
      visible: item.visible,
      listOrder: item.listOrder,
      identifier: item.identifier,
      variations: item.variations,
      ver: 2,
    });
  });

  it("finds a silent edit, whose modified did not move", async () => {
    const id = freshId();
    const item = searchItem(id);
    await search(1, [item]);
    expect((await refresh(2, [asRefreshed(item, { price: 1 })])).tally.changed).toBe(1);
  });

  it("writes an interval for each value of price and stock, ending where it was last confirmed", async () => {
    const id = freshId();
    await search(1, [searchItem(id, { price: 500 })]);
    await search(5, [searchItem(id, { price: 500 })]);
    await search(9, [searchItem(id, { price: 400 })]);
    await search(12, [searchItem(id, { price: 400, title: "名前だけ変わった" })]);
    const { intervals, lows } = await readHistory(test.db, id, { limit: 100, now: at(20) });
    expect(intervals.map((i) => [i.price, i.firstSeen, i.lastConfirmed])).toEqual([
      [500, at(1), at(5)],
      [400, at(9), at(12)],
    ]);
    expect(lows.all).toEqual({ price: 400, at: at(9), observations: 4 });
  });

  it("history is append-only, whoever asks", async () => {
    await search(1, [searchItem(freshId())]);
    await expect(test.db.execute(sql`update price_interval set price = 0`)).rejects.toThrow();
    await expect(test.db.execute(sql`delete from price_interval`)).rejects.toThrow();
  });

  it("ignores an answer that is older than what is already known", async () => {
    const id = freshId();
    await search(10, [searchItem(id, { price: 300 })]);
    expect((await search(5, [searchItem(id, { price: 999 })])).tally.unchanged).toBe(1);
    expect(await product(id)).toMatchObject({ price: 300, checkedAt: at(10) });
  });

  it("a list that lags behind refreshes writes no old value back, however often it is read", async () => {
    const id = freshId();
    const old = searchItem(id, { price: 500, modified: 1_700_000_000 });
    const now = { ...old, price: 400, modified: 1_700_000_900 };
    await search(1, [old]);
    for (let second = 2; second < 12; second += 2) {
      await refresh(second, [asRefreshed(now)]);
      expect((await search(second + 1, [old])).tally.unchanged).toBe(1);
    }
    const caughtUp = { ...now, properPrice: 900 };
    expect((await search(20, [caughtUp])).tally.changed).toBe(1);
    const { intervals } = await readHistory(test.db, id, { limit: 100, now: at(20) });
    expect(intervals.map((i) => [i.price, i.properPrice])).toEqual([
      [500, old.properPrice],
      [400, old.properPrice],
      [400, 900],
    ]);
  });

  it("a list that shows an older `modified`, but else what is known, confirms that", async () => {
    const id = freshId();
    const item = searchItem(id, { modified: 1_700_000_000 });
    await search(1, [item]);
    await refresh(2, [asRefreshed(item, { modified: 1_700_000_900 })]);
    expect((await search(3, [item])).tally.unchanged).toBe(1);
    expect(await product(id)).toMatchObject({ checkedAt: at(3), modified: 1_700_000_900 });
  });

  it("a product may go back: a refresh tells so, and a search of one that was deleted", async () => {
    const id = freshId();
    const item = searchItem(id, { price: 400, modified: 1_700_000_900 });
    const restored = { ...item, price: 500, modified: 1_700_000_000 };
    await search(1, [item]);
    await refresh(2, [asRefreshed(restored)]);
    expect(await product(id)).toMatchObject({ price: 500, modified: 1_700_000_000 });
    await search(3, [item]);
    await test.db.execute(sql`
      update product set state = 'gone', deleted_at = ${at(4).toISOString()}, deleted_call_id = 1 where item_id = ${id}`);
    await search(5, [restored]);
    expect(await product(id)).toMatchObject({ state: "live", price: 500 });
  });

  it.each([
    ["of another unit", 1_700_000_000_000, 1_700_000_000],
    ["of another unit", 1_700_000_000, 0],
    ["in the future", 4_000_000_000, 1_700_000_000],
    ["in the future", 4_000_000_000_000, 1_700_000_000_000],
  ])("U15: a `modified` %s makes no other state older (%d, then %d)", async (_, stored, shown) => {
    const id = freshId();
    const item = searchItem(id, { price: 500, modified: stored });
    await search(1, [item]);
    await refresh(2, [asRefreshed(item)]);
    await search(3, [{ ...item, price: 400, modified: shown }]);
    expect(await product(id)).toMatchObject({ price: 400, modified: shown });
  });

  it("P8: of checks made while a clock was ahead, later calls win, in their order", async () => {
    const id = freshId();
    const hours = 9 * 3600;
    await search(hours, [searchItem(id, { price: 500 })]);
    await search(1, [searchItem(id, { price: 400 })]);
    await refresh(2, [asRefreshed(searchItem(id, { price: 400 }))]);
    await search(3, [searchItem(id, { price: 300 })]);
    const sighting = { callId: callId - 2, sentAt: at(4) };
    const late = { items: [searchItem(id, { price: 999 })], broken: [] };
    await test.db.transaction((tx) => observeSearch(tx, sighting, late));
    expect(await product(id)).toMatchObject({ price: 300 });
    const { intervals } = await readHistory(test.db, id, { limit: 100, now: at(20) });
    expect(intervals.map((i) => i.price)).toEqual([500, 400, 300]);
    for (const { firstSeen, lastConfirmed } of intervals)
      expect(lastConfirmed.getTime()).toBeGreaterThanOrEqual(firstSeen.getTime());
  });

  it("P8: a check while a clock was ahead leaves the times of a product right once a later call shows it", async () => {
    const id = freshId();
    await search(1, [searchItem(id, { price: 500 })]);
    await search(9 * 3600, [searchItem(id, { price: 500 })]);
    await search(2, [searchItem(id, { price: 500 })]);
    expect(await product(id)).toMatchObject({ checkedAt: at(2), priceSince: at(1) });
    await search(9 * 3600, [searchItem(id, { price: 500 })]);
    await search(3, [searchItem(id, { price: 400 })]);
    const { intervals } = await readHistory(test.db, id, { limit: 100, now: at(20) });
    expect(intervals.map((i) => [i.price, i.firstSeen, i.lastConfirmed])).toEqual([
      [500, at(1), at(3)],
      [400, at(3), at(3)],
    ]);
  });

  it("U16: keeps the newest of duplicates on one page and counts the others", async () => {
    const id = freshId();
    const { tally } = await search(1, [
      searchItem(id, { price: 1, modified: 1_700_000_001 }),
      searchItem(id, { price: 2, modified: 1_700_000_002 }),
      searchItem(id, { price: 3, modified: 1_700_000_000 }),
    ]);
    expect(tally).toMatchObject({ returned: 3, created: 1, duplicates: 2 });
    expect((await product(id)).price).toBe(2);
  });

  it("keeps one price of duplicates that are as new, in whatever order each page has them", async () => {
    const id = freshId();
    const price = (value: number) => searchItem(id, { price: value });
    await search(1, [price(1), price(2)]);
    await search(2, [price(2), price(1)]);
    await search(3, [price(1), price(2)]);
    expect(await product(id)).toMatchObject({ price: 2, ver: 1 });
  });

  it("stores the first thousand of a product's categories, as quickly as few", async () => {
    const id = freshId();
    const categories = Array.from({ length: 5000 }, (_, i) => `分類の${i}番`);
    await search(1, [searchItem(id, { categories })]);
    expect((await product(id)).categories).toEqual(categories.slice(0, 1000));
  });

  it("U20: takes nothing from a refresh that was not asked for", async () => {
    const [asked, stranger] = [freshId(), freshId()];
    await search(1, [searchItem(asked), searchItem(stranger)]);
    const { tally } = await refresh(
      2,
      [asRefreshed(searchItem(asked)), asRefreshed(searchItem(stranger), { price: 1 })],
      [asked],
    );
    expect(tally).toMatchObject({ returned: 2, unchanged: 1, quarantined: 1 });
    expect((await product(stranger)).price).toBe(4200);
  });

  it("keeps variations with their GTIN beside the product", async () => {
    const id = freshId();
    await search(1, [searchItem(id)]);
    const rows = () =>
      test.db.execute<{ gtin: string | null; barcode: string | null }>(
        sql`select gtin, barcode from variation where item_id = ${id}`,
      );
    expect([...(await rows())]).toEqual([{ gtin: "04901234567894", barcode: "4901234567894" }]);
    await search(2, [searchItem(id, { variations: [] })]);
    expect(await rows()).toHaveLength(0);
  });

  it("D5: overlapping pages in any order neither deadlock nor lose an item", async () => {
    const ids = Array.from({ length: 40 }, freshId);
    const shuffled = (seed: number) =>
      ids.toSorted((a, b) => ((a * seed) % 41) - ((b * seed) % 41));
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        search(
          i + 1,
          shuffled(i + 3).map((id) => searchItem(id, { price: 100 + i })),
        ),
      ),
    );
    const [row] = await test.db.execute<{ n: number; newest: number }>(sql`
      select count(*) as n, count(*) filter (where price = 107) as newest from product
      where item_id between ${must(ids[0], "an id")} and ${must(ids.at(-1), "an id")}`);
    expect(row).toEqual({ n: 40, newest: 40 });
  });
});

import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import { writeCursor } from "../../src/catalog/changes/change-cursor.ts";
import { observeRefresh } from "../../src/catalog/observing/observe.ts";
import { followShopRename } from "../../src/catalog/upkeep/shop-renames.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { createTestApi } from "../support/api.ts";
import { apiForAll } from "../support/opened-api.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

const { test, api } = apiForAll();

interface Page {
  items: {
    cursor: string;
    item_id: number;
    kind: string;
    product: { price: number; title: string; shop: { shop_name: string; shop_url: string } } | null;
  }[];
  next: string;
  poll_after_s: number;
}

async function read(after: string | null, limit = 1000): Promise<Page> {
  const query = after === null ? "" : `&after=${after}`;
  return api.json(`/v1/changes?limit=${limit}${query}`);
}

/** The cursor behind everything that has happened. */
async function present(): Promise<string> {
  await orderChanges(test.db, systemClock);
  let page = await read(null);
  while (page.poll_after_s === 0) page = await read(page.next);
  return page.next;
}

async function told(after: string): Promise<[number, string, boolean][]> {
  await orderChanges(test.db, systemClock);
  const { items } = await read(after);
  return items.map((item) => [item.item_id, item.kind, item.product !== null]);
}

let minute = 0;
const nextMinute = () => new Date(Date.UTC(2026, 0, 1, 0, (minute += 1))).toISOString();

describe("GET /v1/changes", () => {
  it("begins with everything that lives, goes on with what changes, and says when to ask again", async () => {
    await storeItems(
      test.db,
      nextMinute(),
      [1, 2, 3, 4, 5].map((id) => searchItem(id)),
    );
    await removeItem(test.db, nextMinute(), 3);
    const first = await read(null, 3);
    expect(first.items.map(({ item_id, kind }) => [item_id, kind])).toEqual([
      [1, "listed"],
      [2, "listed"],
    ]);
    expect(first.poll_after_s).toBe(0);
    await storeItems(test.db, nextMinute(), [searchItem(1, { price: 999 })]);
    await orderChanges(test.db, systemClock);
    const second = await read(first.next, 3);
    expect(second.items.map(({ item_id }) => item_id)).toEqual([4, 5]);
    const third = await read(second.next);
    expect(third.items.at(-1)).toMatchObject({
      item_id: 1,
      kind: "changed",
      product: { price: 999 },
    });
    expect(third.poll_after_s).toBeGreaterThan(0);
    expect(await read(third.next)).toEqual({
      items: [],
      next: third.next,
      poll_after_s: third.poll_after_s,
    });
    // From the middle of a page as well.
    const middle = first.items[0]?.cursor ?? "";
    expect((await read(middle, 3)).items.map(({ item_id }) => item_id)).toEqual([2, 4]);
  });

  it("tells new, changed, deleted and returned products once each, and no check without a change", async () => {
    const after = await present();
    await storeItems(test.db, nextMinute(), [searchItem(11), searchItem(12)]);
    await storeItems(test.db, nextMinute(), [searchItem(11), searchItem(12, { stock: 0 })]);
    await removeItem(test.db, nextMinute(), 11);
    await storeItems(test.db, nextMinute(), [searchItem(11)]);
    await removeItem(test.db, nextMinute(), 12);
    expect(await told(after)).toEqual([
      [11, "added", true],
      [12, "added", false],
      [12, "changed", false],
      [11, "deleted", true],
      [11, "returned", true],
      [12, "deleted", false],
    ]);
    const [row] = await test.db.execute(sql`
      select price, stock, prev_price, prev_stock from product_change
      where item_id = 12 and kind = 'changed'`);
    expect(row).toEqual({ price: 4200, stock: 0, prev_price: 4200, prev_stock: 3 });
  });

  it("tells a refresh that shows a change", async () => {
    const after = await present();
    const sighting = { callId: 9, sentAt: new Date(nextMinute()) };
    const items = [searchItem(4), searchItem(5, { price: 1 })];
    await test.db.transaction((tx) =>
      observeRefresh(tx, sighting, {
        asked: { shopId: "shop-1", itemIds: [4, 5] },
        items,
        broken: [],
      }),
    );
    expect(await told(after)).toEqual([[5, "changed", true]]);
  });

  it("tells all products of a shop that has a new name or address, and a product that has moved", async () => {
    const after = await present();
    const renamed = { shopName: "新しい名前", shopUrl: "https://new.example.com/" };
    await storeItems(test.db, nextMinute(), [searchItem(1, { ...renamed, price: 999 })]);
    await followShopRename({ db: test.db, clock: systemClock, logger });
    const page = await told(after);
    expect(page.map(([id]) => id)).toEqual([1, 2, 4, 5, 11]);
    const { items } = await read(after);
    for (const { product } of items) {
      expect(product?.shop).toMatchObject({ shop_name: "新しい名前", shop_url: renamed.shopUrl });
    }
    const moved = await present();
    await storeItems(test.db, nextMinute(), [searchItem(4, { shopId: "shop-2" })]);
    expect(await told(moved)).toEqual([[4, "changed", true]]);
    const address = await present();
    await storeItems(test.db, nextMinute(), [
      searchItem(4, { shopId: "shop-2", shopUrl: "https://x.example" }),
    ]);
    await followShopRename({ db: test.db, clock: systemClock, logger });
    expect(await told(address)).toEqual([[4, "changed", true]]);
  });

  itLong("ends a page of large products early, and goes on behind it", async () => {
    const after = await present();
    const detail = "長".repeat(100_000);
    const ids = Array.from({ length: 40 }, (_, i) => 1000 + i);
    await storeItems(
      test.db,
      nextMinute(),
      ids.map((id) => searchItem(id, { detail })),
    );
    await orderChanges(test.db, systemClock);
    const seen: number[] = [];
    let cursor = after;
    for (let page = await read(cursor); page.items.length > 0; page = await read(cursor)) {
      expect(JSON.stringify(page).length).toBeLessThan(4_194_304);
      seen.push(...page.items.map(({ item_id }) => item_id));
      cursor = page.next;
    }
    expect(seen).toEqual(ids);
  });

  it("gives nothing where the database does not have yet what the reader has seen", async () => {
    const [head] = await test.db.execute<{ epoch: string; position: number }>(
      sql`select epoch, position from change_head`,
    );
    const { epoch = "", position = 0 } = head ?? {};
    for (const listedTo of [null, 0]) {
      const ahead = writeCursor({ epoch, position: position + 1, listedTo });
      expect(await read(ahead)).toEqual({ items: [], next: ahead, poll_after_s: 1 });
    }
  });

  it("asks the primary for what a replica that lags does not have yet", async () => {
    const after = await present();
    await storeItems(test.db, nextMinute(), [searchItem(1, { price: 77 })]);
    await orderChanges(test.db, systemClock);
    const replica = await createTestDb();
    onTestFinished(replica.close);
    const [head] = await test.db.execute(sql`select epoch from change_head`);
    await replica.db.execute(sql`update change_head set epoch = ${head?.epoch}, position = 0`);
    const lagging = createTestApi(replica.db, {
      writeDb: test.db,
      replica: {
        look: async () => 1000,
        isUsed: () => true,
        completeToMs: () => null,
        fail() {},
        failed: () => new AbortController().signal,
        catchUp: async () => {},
      },
    });
    const { items } = await lagging.json<Page>(`/v1/changes?after=${after}`);
    expect(items).toMatchObject([{ item_id: 1, kind: "changed", product: { price: 77 } }]);
  });

  it("refuses cursors that it never gave, and those of a catalogue before a restore", async () => {
    const faulty = await api.get("/v1/changes?after=abc&limit=1001&x=1");
    expect(faulty.status).toBe(400);
    const { errors } = (await faulty.json()) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual(["after", "limit", "x"]);
    const foreign = writeCursor({ epoch: "0123456789ab", position: 1, listedTo: null });
    const expired = await api.get(`/v1/changes?after=${foreign}`);
    expect(expired.status).toBe(410);
    expect(await expired.json()).toMatchObject({
      code: "cursor_expired",
      errors: [{ parameter: "after" }],
    });
  });

  it("is not kept by caches, and may be read by any site", async () => {
    const response = await api.get("/v1/changes");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });
});

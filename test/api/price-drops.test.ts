import { beforeAll, describe, expect, it } from "vitest";
import { clockAt, createTestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { endGroup, storeGroup } from "../support/matches.ts";
import { apiForAll } from "../support/opened-api.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

const { test, api } = apiForAll({ clock: clockAt("2026-01-06T00:00:00.000Z") });

/** Prices of one product, one look a day from the 1st of January at midnight. */
async function priced(
  itemId: number,
  prices: readonly number[],
  over: Parameters<typeof searchItem>[1] = {},
): Promise<void> {
  for (const [day, price] of prices.entries()) {
    const at = `2026-01-0${day + 1}T00:00:00.000Z`;
    await storeItems(test.db, at, [searchItem(itemId, { price, ...over })]);
  }
}

beforeAll(async () => {
  await priced(1, [1000, 1000, 900]);
  await priced(2, [1000, 500, 500, 800]);
  await priced(3, [1000, 1100, 1000, 700], { shopId: "shop-2", categories: ["靴"] });
  await priced(4, [100, 99]);
  await priced(5, [1000, 1]);
  await priced(6, [1000, 0]);
  await priced(7, [1000, 600, 800, 600]);
  // Slips, of which the second one took so long that it was a price.
  await priced(8, [1000, 100_000, 100_000, 990]);
  for (const [day, price] of [1000, 100_000, 100_000, 1000].entries()) {
    const at = `2025-12-${10 + 2 * day}T00:00:00.000Z`;
    await storeItems(test.db, at, [searchItem(9, { price, shopId: "shop-9" })]);
  }
  await storeItems(test.db, "2026-01-05T00:00:00.000Z", [
    // Only the stock changes: the price is still the one it fell to.
    searchItem(1, { price: 900, stock: 1 }),
  ]);
  await storeItems(test.db, "2026-01-03T00:00:00.000Z", [searchItem(1000)]);
  await removeItem(test.db, "2026-01-05T00:00:00.000Z", 5);
});

interface Body {
  since: string;
  more: boolean;
  items: {
    price_before: number;
    price: number;
    drop_percent: number;
    seen_at: string;
    last_seen_before_at: string;
    current: boolean;
    product: { item_id: number; price: number };
  }[];
}

const drops = (query: string, status?: number) =>
  api.json<Body>(`/v1/price-drops?${query}`, status);

const told = ({ items }: Body) =>
  items.map((item) => [item.product.item_id, item.price_before, item.price]);

describe("GET /v1/price-drops", () => {
  it("shows what became cheaper and still is, newest first", async () => {
    const body = await drops("");
    expect(told(body)).toEqual([
      [7, 800, 600],
      [3, 1000, 700],
      [1, 1000, 900],
      [4, 100, 99],
    ]);
    expect(body).toMatchObject({ since: "2025-12-30T00:00:00Z", more: false, complete: true });
    expect(body.items[2]).toMatchObject({
      drop_percent: 10,
      seen_at: "2026-01-03T00:00:00Z",
      last_seen_before_at: "2026-01-02T00:00:00Z",
      current: true,
      product: { item_id: 1, price: 900 },
    });
  });

  it("shows prices that have changed again only when asked to, and says which", async () => {
    const { items } = await drops("current=false&min_percent=40");
    expect(items.map((item) => [item.product.item_id, item.price, item.current])).toEqual([
      [7, 600, false],
      [2, 500, false],
    ]);
  });

  it("can show the biggest first, from a percentage on, since a moment", async () => {
    expect(told(await drops("sort=biggest"))).toEqual([
      [3, 1000, 700],
      [7, 800, 600],
      [1, 1000, 900],
      [4, 100, 99],
    ]);
    expect(told(await drops("sort=biggest&min_percent=26"))).toEqual([[3, 1000, 700]]);
    expect(told(await drops("since=2026-01-04"))).toHaveLength(2);
  });

  it("shows the end of a price that was far too high for a long time, and not for some days", async () => {
    const longAgo = "since=2025-12-01&min_percent=90";
    expect(told(await drops(longAgo))).toEqual([[9, 100_000, 1000]]);
  });

  it("can be narrowed to shops and categories", async () => {
    expect(told(await drops("shop_id=shop-2"))).toEqual([[3, 1000, 700]]);
    expect(told(await drops("category=靴&category=帽子"))).toEqual([[3, 1000, 700]]);
    expect(told(await drops("category=帽子"))).toEqual([]);
    expect(told(await drops("category=財布&shop_id=shop-1"))).toHaveLength(3);
  });

  itLong("is paged without repeating or skipping", async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => drops(`per_page=2&page=${page}`)));
    expect(pages.flatMap(told)).toEqual(told(await drops("")));
    expect(pages.map(({ more }) => more)).toEqual([true, false, false]);
    await drops("page=21&per_page=100", 400);
  });

  it("A11: has one ETag while nothing changes, whatever the time of asking", async () => {
    const etag = (await api.get("/v1/price-drops")).headers.get("ETag") ?? "";
    const later = createTestApi(test.db, { clock: clockAt("2026-01-06T00:10:00.000Z") });
    expect((await later.get("/v1/price-drops", { "If-None-Match": etag })).status).toBe(304);
  });

  it("shows one drop of each comparable product where that is asked for", async () => {
    const ids = async (query: string) =>
      (await drops(query)).items.map((item) => item.product.item_id);
    const groupId = await storeGroup(test.db, [[1], [3]]);
    expect(await ids("sort=biggest&since=2026-01-01T00:00:00Z")).toEqual([3, 7, 1, 4]);
    const path = "sort=biggest&group=product&since=2026-01-01T00:00:00Z";
    expect(await ids(path)).toEqual([3, 7, 4]);
    expect(await ids(`${path}&shop_id=shop-1`)).toEqual([7, 1, 4]);
    expect(await ids(`${path}&per_page=1&page=3`)).toEqual([4]);
    await endGroup(test.db, groupId, null);
    await drops("group=shop", 400);
  });
});

describe("GET /v1/price-drops where many prices fell", () => {
  it("finds those of a category behind hundreds of others", async () => {
    const many = await createTestDb();
    const categoryOf = (id: number) => (id <= 4 ? "靴" : "財布");
    const products = (ids: number[], price: number) =>
      ids.map((id) => searchItem(id, { price, categories: [categoryOf(id)] }));
    const ids = Array.from({ length: 700 }, (_, i) => i + 1);
    await storeItems(many.db, "2026-01-01T00:00:00.000Z", products(ids, 1000));
    // Those of the category fell first.
    await storeItems(many.db, "2026-01-02T00:00:00.000Z", products(ids.slice(0, 4), 500));
    await storeItems(many.db, "2026-01-03T00:00:00.000Z", products(ids.slice(4), 400));
    const of = createTestApi(many.db, { clock: clockAt("2026-01-06T00:00:00.000Z") });
    const found = async (query: string) => {
      const body = (await (await of.get(`/v1/price-drops?${query}`)).json()) as Body;
      return { ...body, items: body.items.map((item) => item.product.item_id) };
    };
    for (const sort of ["newest", "biggest"]) {
      const shoes = await found(`sort=${sort}&category=靴&per_page=3`);
      expect(shoes).toMatchObject({ items: [4, 3, 2], more: true, complete: true });
      const last = await found(`sort=${sort}&per_page=50&page=14`);
      expect(last).toMatchObject({ more: false, complete: true });
      expect(last.items.slice(-5)).toEqual([5, 4, 3, 2, 1]);
      expect(await found(`sort=${sort}&per_page=3`)).toMatchObject({ items: [700, 699, 698] });
    }
    await many.close();
  });
});

import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { observeRefresh } from "../../src/catalog/observing/observe.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { clockAt } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { exampleItem, exampleProduct } from "../support/product-example.ts";
import { searchItem } from "../support/products.ts";

const now = "2026-01-01T01:00:00.000Z";
const { test, api } = apiForAll({ clock: clockAt(now) });

const store = (items: SearchItem[], sentAt = "2026-01-01T00:53:10.000Z") =>
  storeItems(test.db, sentAt, items);

beforeAll(async () => {
  await store([exampleItem]);
  await store([2, 3].map((id) => searchItem(id, { shopId: "shop-2", shopName: "店 0" })));
});

const json = <T>(path: string, status?: number) => api.json<T>(path, status);

describe("GET /v1/products/{item_id}", () => {
  it("answers the product", async () => {
    expect(await json("/v1/products/100003")).toEqual(exampleProduct);
  });

  it("answers 404 for what was never seen and 410, with the time, for what is gone", async () => {
    expect(await json("/v1/products/9007199254740991", 404)).toMatchObject({
      code: "product_not_found",
    });
    await store([searchItem(1), searchItem(600)]);
    await removeItem(test.db, "2026-01-01T00:58:00.000Z", 600);
    expect(await json("/v1/products/600", 410)).toMatchObject({
      code: "product_gone",
      gone_at: "2026-01-01T00:58:00Z",
    });
    await json("/v1/products/9007199254740992", 400);
  });

  it("keeps the history of prices, of gone products too", async () => {
    await store(
      [searchItem(1), searchItem(700, { price: 100, properPrice: null, stock: 1 })],
      "2025-01-01T00:00:00Z",
    );
    const item = searchItem(700, { price: 90, stock: 1 });
    const sighting = { callId: 1000, sentAt: new Date("2025-12-20T00:00:00Z") };
    await test.db.transaction((tx) =>
      observeRefresh(tx, sighting, {
        asked: { shopId: "shop-1", itemIds: [700] },
        items: [item],
        broken: [],
      }),
    );
    await removeItem(test.db, "2026-01-01T00:57:00.000Z", 700);
    const low = { price: 90, at: "2025-12-20T00:00:00Z", observations: 1 };
    expect(await json("/v1/products/700/history?since=2025-12-01")).toEqual({
      item_id: 700,
      currency: "JPY",
      granularity: "interval",
      intervals: [
        {
          price: 90,
          proper_price: null,
          stock: 1,
          first_seen: "2025-12-20T00:00:00Z",
          last_confirmed: "2025-12-20T00:00:00Z",
        },
      ],
      days: [],
      next: null,
      lows: { all: { ...low, observations: 2 }, "1y": low, "90d": low, "30d": low },
    });
    expect(await json("/v1/products/700/history")).toMatchObject({
      intervals: [{ price: 100 }, { price: 90 }],
    });
    await json("/v1/products/701/history", 404);
  });
});

describe("shops, status, metrics", () => {
  it("counts the products of shops", async () => {
    const [expected] = await test.db.execute<{ shops: number; products: number }>(sql`
      select count(distinct shop_id) as shops, count(*) filter (where shop_id = 'shop-2' and state <> 'gone') as products
      from product`);
    expect(await json("/v1/shops?per_page=2")).toMatchObject({
      found: expected?.shops,
      page: 1,
      per_page: 2,
    });
    expect(await json("/v1/shops/shop-2")).toMatchObject({
      shop_id: "shop-2",
      shop_name: "店 0",
      shop_url: "https://shop-1.example.com/",
      products: expected?.products,
    });
    expect(await json("/v1/shops?shop_id=shop-2&shop_id=shop-1&shop_id=shop-0")).toMatchObject({
      found: 2,
      items: [{ shop_id: "shop-1" }, { shop_id: "shop-2", products: expected?.products }],
    });
    expect(await json("/v1/shops?shop_id=shop-0")).toMatchObject({ found: 0, items: [] });
    expect(await json("/v1/shops/shop-0", 404)).toMatchObject({ code: "shop_not_found" });
  });

  it("says how much there is and how fresh it is", async () => {
    const [live] = await test.db.execute<{ n: number }>(
      sql`select count(*) as n from product where state <> 'gone'`,
    );
    expect(await json("/v1/status")).toMatchObject({
      products: live?.n,
      products_by_state: { gone: 2 },
      freshness: { oldest_s: expect.any(Number) },
      mirror_lag_s: null,
      budget: {
        day: "2026-01-01",
        limit: 10_000,
        used: 0,
        remaining: 10_000,
        resets_at: "2026-01-01T15:00:00Z",
      },
      crawling: true,
    });
  });

  it("measures without a word of the callers in its labels", async () => {
    await api.get("/v1/products?q=secretword");
    await api.get("/no/such/secretword");
    await api.request("/v1/products", { method: "SECRETWORD" });
    const text = await (await api.get("/metrics")).text();
    expect(text).not.toContain("secretword");
    expect(text).not.toContain("SECRETWORD");
    expect(text).toContain("kurabe_database_up 1");
    expect(text).toContain("kurabe_budget_remaining_calls 10000");
    expect(text).toMatch(/kurabe_products\{state="live"\} \d+/);
    expect(text).toMatch(/requests_total\{method="GET",route="\/v1\/products",status="200"\} \d+/);
    expect(text).toMatch(/requests_total\{method="GET",route="none",status="404"\} 1/);
    expect(text).toMatch(/requests_total\{method="other",route="none",status="40\d"\} 1/);
  });
});

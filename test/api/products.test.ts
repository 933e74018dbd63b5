import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { SearchItem } from "../../src/storefront/product.ts";
import { clockAt, createTestApi, searchBySql } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { exampleItem, exampleProduct } from "../support/product-example.ts";
import { searchItem } from "../support/products.ts";

const now = "2026-01-01T01:00:00.000Z";
const { test, api } = apiForAll({ clock: clockAt(now) });

const store = (items: SearchItem[], sentAt = "2026-01-01T00:53:10.000Z") =>
  storeItems(test.db, sentAt, items);

beforeAll(async () => {
  await store(
    Array.from({ length: 60 }, (_, i) =>
      searchItem(200 + i, {
        price: 1000 + i,
        properPrice: i % 3 === 0 ? 3000 : null,
        stock: i % 4,
        shopId: `shop-${2 + (i % 5)}`,
        shopName: `店 ${i % 5}`,
      }),
    ),
  );
  await store([exampleItem]);
});

const json = <T>(path: string, status?: number) => api.json<T>(path, status);

interface Page {
  found: number;
  items: {
    item_id: number;
    price: number;
    in_stock: boolean;
    proper_price: number | null;
    shop: { shop_id: string };
  }[];
  warnings: string[];
}

describe("GET /v1/products", () => {
  it("answers every field of the interface, and no other", async () => {
    const body = await json("/v1/products?shop_id=shop-1&gtin=4901234567894");
    expect(body).toEqual({
      facets_exact: {},
      found: 1,
      found_exact: true,
      partially_found: 0,
      corrected: null,
      page: 1,
      per_page: 20,
      currency: "JPY",
      took_ms: expect.any(Number),
      engine: "meilisearch",
      degraded: false,
      freshness: { p50_s: 410, p95_s: 410, oldest_s: 410 },
      mirror_lag_s: 0,
      items: [
        {
          ...exampleProduct,
          match: "all",
          highlights: { title: "手作りの&lt;b&gt;革&lt;/b&gt;財布" },
        },
      ],
      facets: {},
      warnings: [],
    });
  });

  it("W3: marks matches in escaped text only", async () => {
    const marked = createTestApi(test.db, {
      search: async (query) => ({
        ...(await searchBySql(test.db, { ...query, q: "" })),
        ids: [100003],
        titles: new Map([[100003, '<img onerror=x> \uE000革\uE001財布 & "more"']]),
      }),
    });
    const response = await marked.get("/v1/products?q=革");
    const body = (await response.json()) as { items: { highlights: { title: string } }[] };
    expect(body.items[0]?.highlights.title).toBe(
      "&lt;img onerror=x&gt; <em>革</em>財布 &amp; &quot;more&quot;",
    );
  });

  it("shows the price of the catalogue, and drops what changed out of its filter", async () => {
    await store([
      searchItem(300, { price: 777, shopId: "shop-lag" }),
      searchItem(301, { price: 800, shopId: "shop-lag" }),
    ]);
    const lagging = createTestApi(test.db, {
      // An index from before both changes: it still believes in the old prices.
      search: async (query) => ({
        ...(await searchBySql(test.db, { ...query, priceMax: 5000 })),
        found: 2,
      }),
    });
    await store(
      [
        searchItem(300, { price: 990, shopId: "shop-lag" }),
        searchItem(301, { price: 1200, shopId: "shop-lag" }),
      ],
      "2026-01-01T00:54:00.000Z",
    );
    const response = await lagging.get("/v1/products?shop_id=shop-lag&price_max=1000");
    const body = (await response.json()) as Page;
    expect(body.items.map((item) => [item.item_id, item.price])).toEqual([[300, 990]]);
    expect(body.found).toBe(2);
    expect(body.warnings).toEqual([
      expect.stringContaining("1 of this page's products is left out: changed"),
    ]);
  });

  it("A13: never shows a product that is gone, and says that it left one out", async () => {
    await store([searchItem(1), searchItem(400)]);
    await removeItem(test.db, "2026-01-01T00:59:00.000Z", 400);
    const stale = createTestApi(test.db, {
      search: async (query) => ({
        ...(await searchBySql(test.db, query)),
        ids: [400, 1],
        found: 2,
      }),
    });
    const body = (await (await stale.get("/v1/products")).json()) as Page;
    expect(body.items.map((item) => item.item_id)).toEqual([1]);
    expect(body).toMatchObject({ found: 2, warnings: [expect.stringContaining("deleted")] });
  });

  it("A1, A2: never fails nor breaks a filter, whatever the parameters", async () => {
    const parameters = fc.record(
      {
        shop_id: fc.constantFrom("shop-1", "shop-2", 'b" OR price<0 OR "', "a\\"),
        exclude_shop_id: fc.constantFrom("shop-3", "'--"),
        price_min: fc.nat(1100).map(String),
        price_max: fc.nat(5000).map(String),
        in_stock: fc.constantFrom("true", "false"),
        on_sale: fc.constantFrom("true", "false"),
        page: fc.constantFrom("1", "2"),
        per_page: fc.constantFrom("1", "7", "100"),
        q: fc
          .array(fc.nat(0xffff), { maxLength: 20 })
          .map((units) => String.fromCharCode(...units)),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(parameters, async (query) => {
        const response = await api.get(`/v1/products?${new URLSearchParams(query).toString()}`);
        const broken = query.q?.includes("\0") || Number(query.price_min) > Number(query.price_max);
        expect(response.status).toBe(broken ? 400 : 200);
        if (broken) return;
        for (const item of ((await response.json()) as Page).items) {
          expect(item.price).toBeGreaterThanOrEqual(Number(query.price_min ?? 0));
          expect(item.price).toBeLessThanOrEqual(Number(query.price_max ?? Infinity));
          expect(item.shop.shop_id).toBe(query.shop_id ?? item.shop.shop_id);
          expect(item.shop.shop_id).not.toBe(query.exclude_shop_id);
          expect(String(item.in_stock)).toBe(query.in_stock ?? String(item.in_stock));
          const onSale = item.proper_price !== null && item.proper_price > item.price;
          expect(String(onSale)).toBe(query.on_sale ?? String(onSale));
        }
      }),
      { numRuns: inject("long") ? 200 : 60 },
    );
  });

  it("A11: has one ETag for the same products however old they have grown meanwhile", async () => {
    const path = "/v1/products?shop_id=shop-4&sort=price:asc";
    const etag = (await api.get(path)).headers.get("ETag") ?? "";
    const later = createTestApi(test.db, { clock: clockAt("2026-01-01T05:00:00.000Z") });
    expect((await later.get(path, { "If-None-Match": etag })).status).toBe(304);
    await store([searchItem(500, { shopId: "shop-4", price: 1 })]);
    expect((await later.get(path, { "If-None-Match": etag })).status).toBe(200);
  });

  it("compresses large answers for those who accept it", async () => {
    const path = "/v1/products?per_page=100&shop_id=shop-5";
    const zipped = await api.get(path, { "Accept-Encoding": "br;q=1, gzip;q=0.5" });
    expect(zipped.headers.get("Content-Encoding")).toBe("gzip");
    expect(zipped.headers.get("Vary")).toBe("Accept-Encoding, Authorization, Origin, X-Api-Key");
    const text = gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString();
    const plain = await api.get(path, { "Accept-Encoding": "gzip;q=0" });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    const stable = (body: string) => body.replace(/"took_ms":\d+/, "");
    expect(stable(text)).toBe(stable(await plain.text()));
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { createEngine } from "../../src/search/engine/engine.ts";
import { createMirror } from "../../src/search/mirror/mirror.ts";
import { createSearch } from "../../src/search/search.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { createTestApi, searchBySql, type TestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { openTestMeilisearch, type TestMeilisearch } from "../support/meilisearch.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";

const clock = systemClock;
const stopping = new AbortController();
let test: TestDb;
let meili: TestMeilisearch;
let mirroring: Promise<void>;
let api: TestApi;

interface Page {
  found: number;
  mirror_lag_s: number;
  items: { item_id: number; highlights: { title: string } }[];
  facets: object;
  warnings: string[];
}

beforeAll(async () => {
  test = await createTestDb();
  meili = openTestMeilisearch();
  const engine = createEngine({ ...meili, clock, searchTimeoutMs: 8000 });
  const where = { db: test.db, engine, clock, indexPrefix: meili.prefix };
  const mirror = createMirror({ ...where, logger });
  mirroring = runLoop({
    name: "mirror",
    clock,
    logger,
    signal: stopping.signal,
    step: mirror.step,
  });
  api = createTestApi(test.db, {
    ...createSearch({ ...where, searchDb: test.db }),
    mirrorStatus: () => readMirrorStatus(test.db, meili.prefix),
  });
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    searchItem(1),
    searchItem(3, { title: "がま口" }),
    searchItem(2, {
      title: "<b>帆布</b>のトートバッグ",
      price: 300,
      shopId: "shop-2",
      categories: ["バッグ"],
    }),
    ...Array.from({ length: 50 }, (_, i) =>
      searchItem(100 + i, { price: 500 + i * 10, stock: i % 3, shopId: `shop-${3 + (i % 4)}` }),
    ),
  ]);
  await mirrored();
});

afterAll(async () => {
  stopping.abort();
  await mirroring;
  await meili.close();
  await test.close();
});

/** Everything stored so far is searchable. */
async function mirrored(): Promise<void> {
  await until(
    async () => {
      const { serving } = await readMirrorStatus(test.db, meili.prefix);
      return serving?.isSearched && serving.dirty === 0 && serving.clean > 0;
    },
    { what: "the mirror has caught up" },
  );
}

async function search(parameters: Record<string, string>): Promise<Page> {
  return api.json(`/v1/products?${new URLSearchParams(parameters).toString()}`);
}

describe("searching through the mirror", () => {
  it("W3: finds words and marks them in escaped text", async () => {
    const page = await search({ q: "帆布" });
    expect(page).toMatchObject({ found: 1, warnings: [] });
    expect(page.items[0]?.highlights.title).toBe("&lt;b&gt;<em>帆布</em>&lt;/b&gt;のトートバッグ");
  });

  it("filters, orders and counts as plain SQL does", async () => {
    const page = await search({
      price_min: "600",
      price_max: "900",
      in_stock: "true",
      sort: "price:asc",
    });
    const expected = await searchBySql(test.db, {
      priceMin: 600,
      priceMax: 900,
      inStock: true,
      page: 1,
      perPage: 20,
    });
    expect(page.items.map((item) => item.item_id)).toEqual(expected.ids);
    expect(page.found).toBe(expected.found);
  });

  it("counts facets over everything found", async () => {
    const page = await search({ q: "トートバッグ", facets: "shop_id,category,price,in_stock" });
    expect(page.facets).toEqual({
      shop_id: [{ value: "shop-2", count: 1, label: "革工房" }],
      category: [{ value: "バッグ", count: 1 }],
      in_stock: [{ value: "true", count: 1 }],
      price: { min: 300, max: 300, histogram: [{ from: 300, to: 300, count: 1 }] },
    });
  });

  it.each([
    'b" OR price<0 OR shop_id != "x',
    "shop-1\\",
    "'] OR [",
    'shop-1"] OR id > 0 OR shop_id IN ["',
  ])("A2: takes %j for the name of a shop and nothing more", async (shopId) => {
    expect(await search({ shop_id: shopId })).toMatchObject({ found: 0, items: [] });
  });

  it("A13: never shows a product whose absence is proven, and soon does not count it", async () => {
    expect(await search({ q: "がま口" })).toMatchObject({ found: 1, items: [{ item_id: 3 }] });
    await removeItem(test.db, "2026-01-02T00:00:00.000Z", 3);
    expect((await search({ q: "がま口" })).items).toEqual([]);
    expect((await api.get("/v1/products/3")).status).toBe(410);
    await mirrored();
    // What the engine said is believed a moment longer.
    const page = await until(
      async () => {
        const asked = await search({ q: "がま口" });
        return asked.found === 0 && asked;
      },
      { what: "the product to be forgotten" },
    );
    expect(page.warnings).toEqual([]);
  });
});

import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { createCache } from "../../src/lib/cache.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";
import { createProductSearch } from "../../src/search/query/product-search.ts";
import { createWordFrequencies } from "../../src/search/query/words/word-frequencies.ts";
import type { Found } from "../../src/search/query/search-client.ts";
import { absentEngine, createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestClock } from "../support/clock.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

interface Page {
  degraded: boolean;
  freshness: { p50_s: number; oldest_s: number };
  items: { item_id: number; price: number; age_s: number }[];
}

const clock = createTestClock("2026-01-02T00:00:00Z");
const test = openedForAll(createTestDb);
let api: TestApi;
let searches = 0;
let isAway = false;

beforeAll(async () => {
  await storeItems(
    test.db,
    "2026-01-01T23:59:00Z",
    [1, 2].map((id) => searchItem(id)),
  );
  const cache = createCache(clock);
  const search = createProductSearch({
    searchDb: test.db,
    clock,
    cache,
    indexVersion: async () => "unchanged",
    readFrequencies: createWordFrequencies(test.db, cache),
    meaning: null,
    searchClient: { ...absentEngine, askAnew },
  });
  api = createTestApi(test.db, { clock, cache, search });
});

/** What an engine answers that knows the two products. */
async function askAnew(): Promise<Found> {
  if (isAway) throw new EngineUnavailable("away");
  searches += 1;
  const hits = [{ id: 1 }, { id: 2 }];
  return { answers: [{ hits, totalHits: 2, processingTimeMs: 0 }], indexUid: "products_1" };
}

async function ask(path: string): Promise<{ page: Page; etag: string }> {
  const response = await api.get(path);
  expect(response.status).toBe(200);
  return {
    page: (await response.json()) as Page,
    etag: must(response.headers.get("ETag"), "an ETag"),
  };
}

/** An answer for which nobody searched, of a while later. */
async function remembered(path: string): Promise<Awaited<ReturnType<typeof ask>>> {
  await ask(path);
  const before = searches;
  await clock.advance(5000);
  const answer = await ask(path);
  expect(searches).toBe(before);
  return answer;
}

const expectedAge = () =>
  Math.floor((clock.now().getTime() - Date.parse("2026-01-01T23:59:00Z")) / 1000);

it("tells of today's ages in a remembered answer, under the same ETag", async () => {
  const { etag } = await ask("/v1/products");
  const again = await remembered("/v1/products");
  expect(again.page.items.map((item) => item.age_s)).toEqual([expectedAge(), expectedAge()]);
  expect(again.page.freshness).toMatchObject({ p50_s: expectedAge(), oldest_s: expectedAge() });
  expect(again.etag).toBe(etag);
});

it("remembers chosen members, with the age and without", async () => {
  const aged = await remembered("/v1/products?fields=age_s");
  expect(aged.page.items).toEqual([1, 2].map((item_id) => ({ item_id, age_s: expectedAge() })));
  const unaged = await remembered("/v1/products?fields=stock");
  expect(unaged.page.items.map((item) => Object.keys(item))).toEqual([
    ["item_id", "stock"],
    ["item_id", "stock"],
  ]);
});

it("shows a price from the moment it is committed", async () => {
  for (const price of [111, 112, 113]) {
    await remembered("/v1/products");
    await test.db.execute(
      sql`update product set price = ${price}, ver = ver + 1 where item_id = 1`,
    );
    const { page } = await ask("/v1/products");
    expect(page.items.find((item) => item.item_id === 1)?.price).toBe(price);
  }
});

it("remembers nothing that was said while the engine was away, or that time alone changes", async () => {
  isAway = true;
  expect((await ask("/v1/products?q=")).page.degraded).toBe(true);
  isAway = false;
  expect((await ask("/v1/products?q=")).page.degraded).toBe(false);
  const path = `/v1/products?max_age_s=${expectedAge() + 3}`;
  expect((await ask(path)).page.items).toHaveLength(2);
  await clock.advance(5000);
  expect((await ask(path)).page.items).toHaveLength(0);
});

import { beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestMirror);
let api: TestApi;

beforeAll(async () => {
  const prices = [0, 500, 5000];
  const items = prices.map((price, i) => searchItem(i + 1, { price }));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
  api = createTestApi(test.db, createSearch({ ...test, searchDb: test.db, clock: systemClock }));
});

it.each([
  ["NOT price < 1000", [1, 3]],
  ["price NOT IN [0, 500]", [1, 3]],
  ["NOT price 0 TO 600", [1, 3]],
  ["NOT discount_percent < 10", [1, 2]],
  ["NOT price IS EMPTY", [1, 2, 3]],
  ["price >= 0", [2, 3]],
])("counts and gives the same products, also those without a price: %s", async (filter, ids) => {
  const body = JSON.stringify({ filter, page: 1, hitsPerPage: 10 });
  const headers = { "Content-Type": "application/json" };
  const answer = await api.request("/meili/indexes/products/search", {
    method: "POST",
    headers,
    body,
  });
  const { hits, totalHits } = (await answer.json()) as Found;
  expect([hits.map(({ id }) => id).toSorted((a, b) => a - b), totalHits]).toEqual([
    ids,
    ids.length,
  ]);
});

interface Found {
  hits: { id: number }[];
  totalHits: number;
}

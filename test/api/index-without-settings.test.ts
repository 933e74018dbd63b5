import { beforeAll, describe, expect, it } from "vitest";
import { createSearch } from "../../src/search/search.ts";
import { clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";

const clock = clockAt("2026-01-02T00:00:00.000Z");
const test = openedForAll(createTestMirror);

beforeAll(async () => {
  const items = [1, 2, 3].map((id) => searchItem(id, { title: `革財布 ${id}` }));
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
  const index = test.meili.client.index(test.indexUid);
  await index.resetSettings().waitTask();
});

/** Without a breaker that an earlier request has opened. */
const openApi = (): TestApi =>
  createTestApi(test.db, { clock, ...createSearch({ ...test, searchDb: test.db, clock }) });

describe("an index that has lost its settings, or has not got them yet", () => {
  it.each([
    "/v1/products?q=革財布",
    "/v1/products?q=革財布&price_max=9000&sort=price:asc&facets=shop_id,price",
    "/v1/products?q=革財布&group=gtin",
    "/v1/products?q=革財布&max_age_s=90000",
    "/v1/suggest?q=革",
    "/v1/facets/shop_id?q=shop",
    "/v1/facets/category?q=財",
  ])("is no fault of the request, and Postgres answers: %s", async (path) => {
    const answer = await openApi().get(encodeURI(path));
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  });
});

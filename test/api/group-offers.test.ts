import { beforeAll, describe, expect, it } from "vitest";
import { createCache } from "../../src/lib/cache.ts";
import { createProductSearch } from "../../src/search/query/product-search.ts";
import { createWordFrequencies } from "../../src/search/query/words/word-frequencies.ts";
import { absentEngine, clockAt, createTestApi } from "../support/api.ts";
import { ids, jan, storeGroupedProducts, type Body } from "../support/grouped-products.ts";
import { storeGroup, storeSimilar } from "../support/matches.ts";
import { decide } from "../support/matching.ts";
import { apiForAll } from "../support/opened-api.ts";

const { test, api } = apiForAll({ clock: clockAt("2026-01-03T00:00:00.000Z") });
let groupId: number;
beforeAll(async () => {
  groupId = await storeGroupedProducts(test.db);
});

const json = (path: string, status?: number) => api.json<Body>(path, status);

interface Found {
  degraded: boolean;
  found: number;
  found_exact: boolean;
  items: { item_id: number; offers: object; group: object | null }[];
  facets: { in_stock: object[]; shop_id: object[] };
}

describe("the offers of a product", () => {
  it("are those of its group, where it has no barcode", async () => {
    const body = await json("/v1/products/10/offers");
    expect(body.match).toEqual({ by: "group", gtins: [] });
    expect(body.group).toMatchObject({ group_id: groupId, offers: 5 });
    expect(ids(body.offers)).toEqual([12, 11, 10, 13]);
    expect(ids((await json("/v1/products/10/offers?in_stock=true")).offers)).toEqual([12, 11, 10]);
  });

  it("are those with its barcode and the rest of its group, each once", async () => {
    await storeGroup(test.db, [
      [20, "gtin", 1],
      [21, "gtin", 1],
      [22, "text", 0.91],
    ]);
    const body = await json("/v1/products/20/offers");
    expect(body.match).toEqual({ by: "gtin", gtins: [jan] });
    expect(
      body.offers.map((offer) => [offer.item_id, offer.match?.kind, offer.variation !== null]),
    ).toEqual([
      [23, "gtin", true],
      [21, "gtin", true],
      [20, "gtin", true],
      [22, "text", false],
    ]);
    expect(ids((await json("/v1/products/22/offers")).offers)).toEqual([21, 20, 22]);
    expect(ids((await json(`/v1/offers/${jan}`)).offers)).toEqual([23, 21, 20]);
  });

  it("lack what people decided is different, until they undo it", async () => {
    await decide(test.db, [23, 20], "same");
    await decide(test.db, [20, 23], "different");
    expect(ids((await json("/v1/products/20/offers")).offers)).toEqual([21, 20, 22]);
    await decide(test.db, [20, 23], "undone");
    expect(ids((await json("/v1/products/20/offers")).offers)).toEqual([23, 21, 20, 22]);
  });

  it("say of a product that nothing links to another only that it is sold", async () => {
    const { offers, group, match } = await json("/v1/products/1/offers");
    expect([ids(offers), offers[0]?.match, group, match]).toEqual([[1], null, null, null]);
  });
});

describe("similar products", () => {
  it("stand apart, most alike first, without members, deleted ones and those decided to be different", async () => {
    await storeSimilar(test.db, 1, 30, 0.91);
    await storeSimilar(test.db, 31, 1, 0.95);
    await storeSimilar(test.db, 1, 15, 0.99);
    await storeSimilar(test.db, 1, 14, 0.99);
    await storeSimilar(test.db, 1, 40, 0.98);
    await decide(test.db, [40, 1], "different");
    const body = await json("/v1/products/1/offers");
    expect(body.similar.map((one) => [one.item_id, one.match])).toEqual([
      [31, { kind: "text", score: 0.95 }],
      [30, { kind: "text", score: 0.91 }],
    ]);
    expect(ids(body.offers)).toEqual([1]);
    await storeSimilar(test.db, 10, 12, 0.9);
    await storeSimilar(test.db, 12, 1, 0.92);
    expect(ids((await json(`/v1/groups/${groupId}`)).similar)).toEqual([1]);
    expect(ids((await json("/v1/products/10/offers")).similar)).toEqual([]);
  });
});

describe("GET /v1/products?group=product", () => {
  it("has one row for each group and each other product, and counts rows, without an engine too", async () => {
    const clock = clockAt("2026-01-03T00:00:00.000Z");
    const cache = createCache(clock);
    const search = createProductSearch({
      searchDb: test.db,
      searchClient: absentEngine,
      clock,
      cache,
      meaning: null,
      readFrequencies: createWordFrequencies(test.db, cache),
      indexVersion: async () => "none",
    });
    const degraded = createTestApi(test.db, { clock, cache, search });
    const path = "/v1/products?q=革財布&group=product&sort=price:asc&facets=shop_id,in_stock";
    const body = (await (
      await degraded.get(`${path}&shop_id=shop-1&shop_id=shop-12&shop_id=shop-13`)
    ).json()) as Found;
    expect([body.degraded, body.found, body.found_exact]).toEqual([true, 2, true]);
    expect(body.items.map(({ item_id: id, offers, group }) => [id, offers, group])).toEqual([
      [
        13,
        {
          gtin: null,
          count: 4,
          in_stock: 3,
          shops: 3,
          lowest_price: 500,
          highest_price: 900,
          lowest_used_price: 0,
        },
        { group_id: groupId, offers: 5, lowest_price: 800, lowest_used_price: null },
      ],
      [1, expect.objectContaining({ gtin: null, count: 1 }), null],
    ]);
    expect(body.facets.in_stock).toEqual([
      { value: "true", count: 2 },
      { value: "false", count: 1 },
    ]);
    expect(body.facets.shop_id).toContainEqual(
      expect.objectContaining({ value: "shop-1", count: 2 }),
    );
  });
});

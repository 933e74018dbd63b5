import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchItem } from "../../src/storefront/product.ts";
import { createCache } from "../../src/lib/cache.ts";
import { createProductSearch } from "../../src/search/query/product-search.ts";
import { absentEngine, clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { decide, endGroup, storeGroup, storeSimilar } from "../support/groups.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const jan = "4901234567894";
let test: TestDb;
let api: TestApi;
let groupId: number;

const sold = (itemId: number, over: Partial<SearchItem>) =>
  searchItem(itemId, { shopId: `shop-${itemId}`, properPrice: null, variations: [], ...over });

const coded = (itemId: number, price: number) =>
  sold(itemId, {
    price,
    variations: [
      {
        variation_id: 1,
        variation: "",
        variation_stock: 2,
        variation_identifier: null,
        barcode: jan,
      },
    ],
  });

beforeAll(async () => {
  test = await createTestDb();
  api = createTestApi(test.db, { clock: clockAt("2026-01-03T00:00:00.000Z") });
  const first = [
    searchItem(1, { variations: [] }),
    sold(10, { price: 900, shopId: "shop-1", title: "<b>革財布</b> & Co" }),
    sold(11, { price: 650, shopId: "shop-1" }),
    sold(12, { price: 800 }),
    sold(13, { price: 500, stock: 0 }),
    sold(14, { price: 0 }),
    sold(15, { price: 300, shopId: "shop-1" }),
    coded(20, 700),
    coded(21, 600),
    sold(22, { price: 750 }),
    coded(23, 100),
    sold(30, { price: 990, stock: 0 }),
    sold(31, { price: 980, stock: 0 }),
    sold(40, { price: 400 }),
    sold(41, { price: 0 }),
    sold(42, { price: 0, stock: 0 }),
  ];
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", first);
  await storeItems(
    test.db,
    "2026-01-02T00:00:00.000Z",
    first.map((item) => (item.itemId === 11 ? { ...item, price: 850 } : item)),
  );
  groupId = await storeGroup(test.db, [
    [10, "model", 0.97],
    [11, "text", 0.85],
    [12, "manual", 1],
    [13],
    [14],
    [15],
  ]);
  await removeItem(test.db, "2026-01-02T12:00:00.000Z", 15);
});
afterAll(() => test.close());

interface Offer {
  item_id: number;
  price: number;
  variation: unknown;
  match: { kind: string; score: number } | null;
}
interface Body {
  group: { group_id: number; offers: number; lowest_price: number | null } | null;
  match: { by: string; gtins: string[] } | null;
  coverage: { matched: number; left_out: object; complete: boolean };
  lows: Record<string, { price: number; at: string } | null>;
  offers: Offer[];
  similar: Offer[];
  title: string;
  image: { origin: string } | null;
  lowest_price: number | null;
  items: Body[];
  code: string;
}

interface Found {
  degraded: boolean;
  found: number;
  found_exact: boolean;
  items: { item_id: number; offers: object; group: object | null }[];
  facets: { in_stock: object[]; shop_id: object[] };
}

async function json(path: string, status = 200): Promise<Body> {
  const response = await api.get(path);
  expect([path, response.status]).toEqual([path, status]);
  return response.json() as Promise<Body>;
}
const ids = (offers: readonly Offer[]) => offers.map((offer) => offer.item_id);

describe("the group of a product", () => {
  it("counts living members, and names the lowest price in stock", async () => {
    const { group } = await json("/v1/products/10");
    expect(group).toEqual({ group_id: groupId, offers: 5, lowest_price: 800 });
    expect((await json("/v1/products/1")).group).toBeNull();
  });

  it("names the lowest of all known prices where none is in stock, and none where none is known", async () => {
    await storeGroup(test.db, [[30], [31]]);
    expect((await json("/v1/products/30")).group).toMatchObject({ offers: 2, lowest_price: 980 });
    await storeGroup(test.db, [[41], [42]]);
    expect((await json("/v1/products/41")).group).toMatchObject({ offers: 2, lowest_price: null });
  });

  it("is no group where the others are deleted", async () => {
    await storeGroup(test.db, [[40], [15_000]]);
    expect((await json("/v1/products/40")).group).toBeNull();
  });

  it("is the same in a search, a lookup and the changes", async () => {
    const { group } = await json("/v1/products/10");
    const found = await json("/v1/products?shop_id=shop-12");
    expect(found.items.map((item) => item.group)).toEqual([group]);
    const lookedUp = await api.request("/v1/products/lookup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ item_ids: [12, 1], include: ["offers"] }),
    });
    const { items } = (await lookedUp.json()) as Body;
    expect(items.map((item) => [item.group, ids(item.offers)])).toEqual([
      [group, [12, 11, 10, 13]],
      [null, [1]],
    ]);
    const changes = (await (await api.get("/v1/changes")).json()) as {
      items: { item_id: number; product: Body }[];
    };
    expect(changes.items.find(({ item_id: id }) => id === 12)?.product.group).toEqual(group);
  });

  it("follows the prices of its other members, also in a remembered search", async () => {
    const path = "/v1/products?shop_id=shop-30";
    const before = await api.get(path);
    await storeItems(test.db, "2026-01-02T13:00:00.000Z", [sold(31, { price: 970 })]);
    const after = await api.get(path, { "If-None-Match": before.headers.get("ETag") ?? "" });
    expect(after.status).toBe(200);
    expect(((await after.json()) as Body).items[0]?.group?.lowest_price).toBe(970);
  });
});

describe("GET /v1/groups/{group_id}", () => {
  it("shows every living member, cheapest in stock first, and why it is one", async () => {
    const body = await json(`/v1/groups/${groupId}`);
    expect(body).toMatchObject({ group_id: groupId, lowest_price: 800, currency: "JPY" });
    expect(body.title).toBe("<b>革財布</b> & Co");
    expect(body.image?.origin).toBe("https://img.example.com/10.jpg");
    expect(body.offers.map((offer) => [offer.item_id, offer.price, offer.match])).toEqual([
      [12, 800, { kind: "manual", score: 1 }],
      [11, 850, { kind: "text", score: 0.85 }],
      [10, 900, { kind: "model", score: 0.97 }],
      [13, 500, { kind: "text", score: 0.9 }],
    ]);
    expect(body.coverage).toMatchObject({
      matched: 6,
      left_out: { out_of_stock: 0, unknown_price: 1, gone: 1 },
      complete: true,
    });
  });

  it("has the lows of all its offers together", async () => {
    const { lows } = await json(`/v1/groups/${groupId}`);
    expect(lows).toMatchObject({
      all: { price: 500, at: "2026-01-01T00:00:00Z", observations: 8 },
      "30d": { price: 500 },
    });
  });

  it("leads to the group it was merged into, through every merge between", async () => {
    const [first, second, third] = [
      await storeGroup(test.db, []),
      await storeGroup(test.db, []),
      await storeGroup(test.db, []),
    ];
    await endGroup(test.db, first, third);
    await endGroup(test.db, third, second);
    await endGroup(test.db, second, groupId);
    for (const id of [first, second, third]) {
      const response = await api.get(`/v1/groups/${id}`);
      expect([response.status, response.headers.get("Location")]).toEqual([
        301,
        `/v1/groups/${groupId}`,
      ]);
    }
  });

  it("answers 410 for a dissolved group and for merges that end in one or in a circle, 404 for none", async () => {
    const [gone, merged, one, other] = [
      await storeGroup(test.db, []),
      await storeGroup(test.db, []),
      await storeGroup(test.db, []),
      await storeGroup(test.db, []),
    ];
    await endGroup(test.db, gone, null);
    await endGroup(test.db, merged, gone);
    await endGroup(test.db, one, other);
    await endGroup(test.db, other, one);
    for (const id of [gone, merged, one, other]) {
      expect((await json(`/v1/groups/${id}`, 410)).code).toBe("group_gone");
    }
    await json("/v1/groups/999999", 404);
    await json("/v1/groups/0", 400);
    await json(`/v1/groups/${groupId}?x=1`, 400);
  });

  it("answers 410 where all members were deleted and matching has not seen it yet", async () => {
    await json(`/v1/groups/${await storeGroup(test.db, [[15_001], [15_002]])}`, 410);
  });

  it("has one ETag however old the offers have grown", async () => {
    const first = await api.get(`/v1/groups/${groupId}`);
    const later = createTestApi(test.db, { clock: clockAt("2026-01-03T05:00:00.000Z") });
    const second = await later.get(`/v1/groups/${groupId}`, {
      "If-None-Match": first.headers.get("ETag") ?? "",
    });
    expect(second.status).toBe(304);
  });
});

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
        { gtin: null, count: 4, in_stock: 3, shops: 3, lowest_price: 500, highest_price: 900 },
        { group_id: groupId, offers: 5, lowest_price: 800 },
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

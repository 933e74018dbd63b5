import { beforeAll, describe, expect, it } from "vitest";
import { clockAt, createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { ids, sold, storeGroupedProducts, type Body } from "../support/grouped-products.ts";
import { endGroup, storeGroup } from "../support/matches.ts";
import { apiForAll } from "../support/opened-api.ts";

const { test, api } = apiForAll({ clock: clockAt("2026-01-03T00:00:00.000Z") });
let groupId: number;
beforeAll(async () => {
  groupId = await storeGroupedProducts(test.db);
});

const json = (path: string, status?: number) => api.json<Body>(path, status);

describe("the group of a product", () => {
  it("counts living members, and names the lowest price in stock", async () => {
    const { group } = await json("/v1/products/10");
    expect(group).toEqual({
      group_id: groupId,
      offers: 5,
      lowest_price: 800,
      lowest_used_price: null,
    });
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
    const lookedUp = await api.post("/v1/products/lookup", {
      item_ids: [12, 1],
      include: ["offers"],
    });
    const { items } = (await lookedUp.json()) as Body;
    expect(items.map((item) => [item.group, ids(item.offers)])).toEqual([
      [group, [12, 11, 10, 13]],
      [null, [1]],
    ]);
    const changes = await api.json<{
      items: { item_id: number; product: Body }[];
    }>("/v1/changes");
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

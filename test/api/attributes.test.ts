import { beforeAll, describe, expect, it } from "vitest";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { searchDegraded } from "../../src/search/query/sql/fallback.ts";
import type { Mirror } from "../../src/search/mirror/mirror.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { matchAll } from "../support/matching.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem } from "../support/products.ts";

const test = openedForAll(createTestMirror);
let mirror: Mirror;
let api: TestApi;
/** Through the search engine, and by Postgres alone. */
let apis: TestApi[];

beforeAll(async () => {
  mirror = test.start();
  const { search, ...rest } = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  api = createTestApi(test.db, { clock: systemClock, ...rest, search });
  const byPostgres = createTestApi(test.db, {
    clock: systemClock,
    search: (query) => searchDegraded(test.db, new Date(), query),
  });
  apis = [api, byPostgres];
  await store("2026-01-01T00:00:00Z", [
    "ブラック レザージャケット サイズXL 中古",
    "schwarze Jacke size xl",
    "Blue jacket size s refurbished",
    "Orange juice 6 x 500 ml",
  ]);
});

async function store(sentAt: string, titles: string[]): Promise<void> {
  const items = titles.map((title, i) => titledItem(i + 1, title, { detail: "" }));
  await storeItems(test.db, sentAt, items);
  await matchAll(test.db);
  await drain(test.db, mirror, test.indexPrefix);
  while ((await orderChanges(test.db, systemClock)) === 0);
}

const json = <T>(path: string, from = api) => from.json<T>(path);

const readChanges = (after: string) =>
  json<{ items: unknown[]; next: string }>(`/v1/changes${after && `?after=${after}`}`);

async function expectFound(filters: string, itemIds: number[]): Promise<void> {
  for (const from of apis) {
    const { items } = await json<{ items: { item_id: number }[] }>(
      `/v1/products?${filters}&sort=first_seen:desc`,
      from,
    );
    expect([filters, items.map(({ item_id: id }) => id)]).toEqual([filters, itemIds]);
  }
}

describe("what titles tell", () => {
  it("is said of each product", async () => {
    expect(await json("/v1/products/4")).toMatchObject({
      attributes: {
        quantity: 500,
        unit: "ml",
        pack: 6,
        models: [],
        colours: ["orange"],
        size: null,
        condition: null,
        edition: null,
      },
    });
    expect(await json("/v1/products/1")).toMatchObject({
      attributes: { quantity: null, colours: ["black"], size: "xl", condition: "used" },
    });
  });

  it("filters searches, with and without the engine", async () => {
    await expectFound("colour=black", [1, 2]);
    await expectFound("colour=black&colour=blue", [1, 2, 3]);
    await expectFound("size=XL&colour=black&condition=used", [1]);
    await expectFound(`size=${encodeURIComponent("ＸＬ")}&colour=black`, [1, 2]);
    await expectFound("condition=used&condition=refurbished", [1, 3]);
    await expectFound("size=xl&colour=blue", []);
    await expectFound("condition=graded", []);
  });

  it("counts its values as facets, each without its own filter, with and without the engine", async () => {
    const told = "facets=condition,colour,size";
    const colour = [
      { value: "black", count: 2 },
      { value: "blue", count: 1 },
      { value: "orange", count: 1 },
    ];
    for (const from of apis) {
      expect(await json(`/v1/products?${told}`, from)).toMatchObject({
        facets: {
          colour,
          size: [
            { value: "xl", count: 2 },
            { value: "s", count: 1 },
          ],
          condition: [
            { value: "refurbished", count: 1 },
            { value: "used", count: 1 },
          ],
        },
        facets_exact: { condition: true, colour: true, size: true },
      });
      expect(await json(`/v1/products?${told}&colour=black&size=s`, from)).toMatchObject({
        found: 0,
        facets: { colour: [{ value: "blue", count: 1 }], size: [{ value: "xl", count: 2 }] },
      });
      expect(await json("/v1/facets/colour?q=B&colour=orange", from)).toMatchObject({
        items: [colour[0], colour[1]],
        exact: true,
      });
      expect(await json("/v1/facets/size?q=%EF%BC%B8&colour=black", from)).toMatchObject({
        items: [{ value: "xl", count: 2 }],
      });
      expect(await json("/v1/facets/condition?facet_limit=1", from)).toMatchObject({
        items: [{ value: "refurbished", count: 1 }],
      });
    }
  });

  it("names the allowed values of a filter", async () => {
    const response = await api.get("/v1/products?condition=new");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      "must be one of: used, refurbished, opened, graded, state",
    );
    expect(await (await api.get("/v1/products?colour=noir")).text()).toContain(
      "black, white, grey",
    );
    expect((await api.get(`/v1/products?size=${"x".repeat(41)}`)).status).toBe(400);
  });

  it("gives a remembered answer another ETag when the title is read", async () => {
    await storeItems(test.db, "2026-01-01T00:30:00Z", [titledItem(9, "Grey scarf")]);
    const path = "/v1/products?q=scarf";
    const byPostgres = createTestApi(test.db);
    const etag = (await byPostgres.get(path)).headers.get("ETag") ?? "";
    await matchAll(test.db);
    const after = await byPostgres.get(path, { "If-None-Match": etag });
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject({
      items: [{ item_id: 9, attributes: { colours: ["grey"] } }],
    });
  });

  it("follows a changed title, and readers of changes hear of it", async () => {
    let { next, items: unread } = await readChanges("");
    while (unread.length > 0) ({ next, items: unread } = await readChanges(next));
    await store("2026-01-01T01:00:00Z", ["Red jacket size m"]);
    await expectFound("colour=red&size=m", [1]);
    await expectFound("colour=black", [2]);
    const { items } = await readChanges(next);
    expect(items.at(-1)).toMatchObject({
      item_id: 1,
      product: { attributes: { colours: ["red"], size: "m", condition: null } },
    });
  });
});

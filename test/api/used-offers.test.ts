import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { createCache } from "../../src/lib/cache.ts";
import { createProductSearch } from "../../src/search/query/product-search.ts";
import { createWordFrequencies } from "../../src/search/query/words/word-frequencies.ts";
import { absentEngine, clockAt, createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { jan, sold, type Body } from "../support/grouped-products.ts";
import { storeGroup } from "../support/matches.ts";
import { apiForAll } from "../support/opened-api.ts";
import { variation } from "../support/products.ts";

const clock = clockAt("2026-01-03T00:00:00.000Z");
const { test, api } = apiForAll({ clock });
let searching: typeof api;
let mixed: number;
let used: number;

beforeAll(async () => {
  const camera = (itemId: number, price: number, over = {}) =>
    sold(itemId, { price, title: `カメラ ${itemId}`, ...over });
  const coded = { variations: [variation({ variation_stock: 2, barcode: jan })] };
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    camera(1, 900, coded),
    camera(2, 800, coded),
    camera(3, 400, coded),
    camera(4, 300, { ...coded, stock: 0 }),
    camera(5, 500),
    camera(6, 450),
    camera(7, 700),
    camera(8, 200, { stock: 0 }),
    camera(9, 900, { stock: 0 }),
    camera(10, 600),
  ]);
  for (const [id, condition] of [
    [3, "used"],
    [4, "graded 9"],
    [5, "used"],
    [6, "refurbished"],
    [8, "used"],
    [10, "used"],
  ] as const) {
    await test.db.execute(sql`
      insert into product_attribute (item_id, models, colours, condition) values (${id}, '{}', '{}', ${condition})`);
  }
  mixed = await storeGroup(test.db, [[1], [2], [3], [4]]);
  used = await storeGroup(test.db, [[5], [6]]);
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
  searching = createTestApi(test.db, { clock, cache, search });
});

const json = (path: string) => api.json<Body>(path);

describe("lowest prices where some offers are used", () => {
  it.each([1, 3])("are told apart in the group of product %i", async (id) => {
    expect((await json(`/v1/products/${id}`)).group).toEqual({
      group_id: mixed,
      offers: 4,
      lowest_price: 800,
      lowest_used_price: 400,
    });
  });

  it("are told apart by the group, and its lows are those of new offers", async () => {
    const body = await json(`/v1/groups/${mixed}`);
    expect(body).toMatchObject({ lowest_price: 800, lowest_used_price: 400 });
    expect(body.lows).toMatchObject({ all: { price: 800 }, "30d": { price: 800 } });
    expect(body.offers.map((offer) => offer.price)).toEqual([400, 800, 900, 300]);
  });

  it.each([
    ["a used one that is sold out is none", [7, 8], [700, null]],
    ["the only one in stock is, also if it is used", [9, 10], [600, 600]],
  ])("are of what is in stock: %s", async (_, members, [lowest, lowestUsed]) => {
    const group = await storeGroup(
      test.db,
      members.map((id) => [id]),
    );
    const prices = { lowest_price: lowest, lowest_used_price: lowestUsed };
    expect((await json(`/v1/products/${members[0]}`)).group).toMatchObject(prices);
    expect(await json(`/v1/groups/${group}`)).toMatchObject(prices);
  });

  it("are those of used offers where all are used", async () => {
    const prices = { lowest_price: 450, lowest_used_price: 450 };
    expect((await json("/v1/products/5")).group).toMatchObject(prices);
    const body = await json(`/v1/groups/${used}`);
    expect(body).toMatchObject(prices);
    expect(body.lows).toMatchObject({ all: { price: 450 } });
  });

  it.each(["gtin", "product"])("are told apart in a search by group=%s", async (by) => {
    const found = await searching.json<Body>(`/v1/products?group=${by}&gtin=${jan}`);
    expect(found.items.map((item) => item.offers)).toEqual([
      expect.objectContaining({
        count: 4,
        lowest_price: 800,
        highest_price: 900,
        lowest_used_price: 300,
      }),
    ]);
  });

  it("are told apart on the pages, and in what search engines read", async () => {
    const page = async (path: string) => {
      const answer = await searching.get(path, { Accept: "text/html", "Accept-Language": "en" });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.text();
    };
    const html = await page("/products/1");
    expect(html).toContain('"lowPrice":800,"highPrice":900');
    expect(html).toContain('"itemCondition":"https://schema.org/UsedCondition"');
    expect(html).toMatch(/800<\/[^<]*>[^¥]*<span class="tag good">lowest<\/span>/);
    expect(html.match(/<span class="tag good">/g)).toHaveLength(1);
    expect(html.match(/<span class="tag">used<\/span>/g)).toHaveLength(1);
    expect(html).toContain("Lowest prices leave out what is used.");
    expect(await page("/products/5")).not.toContain("leave out what is used");
    for (const path of ["/?q=カメラ&group=product", "/compare?items=1,3"]) {
      const shown = (await page(path)).replaceAll(/<[^>]*>/g, " ");
      expect(shown).toMatch(/4 offers from ¥800\s+used from ¥400/);
    }
  });
});

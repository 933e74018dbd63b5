import { beforeAll, describe, expect, it } from "vitest";
import { searchCatalogue } from "../../src/search/query/sql/fallback.ts";
import { absentDb, createTestApi, searchBySql } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { matchAll } from "../support/matching.ts";
import { searchItem, titledItem } from "../support/products.ts";

const test = openedForAll(createTestDb);
beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    searchItem(1),
    searchItem(2, { price: 900 }),
  ]);
});

const browser = { Accept: "text/html", "Accept-Language": "en" };

describe("the search page", () => {
  it("says so when a simpler search stands in for the engine", async () => {
    const site = createTestApi(test.db, {
      search: async (query) => ({ ...(await searchBySql(test.db, query)), degraded: true }),
    });
    const html = await (await site.get("/?q=", browser)).text();
    expect(html).toContain("a simpler search is used");
    expect(html).toContain("2 products");
    // As keyboards of Japanese type digits; the server reads both.
    const pattern = /name="price_min"[^>]* pattern="([^"]+)"/.exec(html)?.[1] ?? "";
    const typed = new RegExp(`^(?:${pattern})$`, "v");
    const texts = ["100", "１００", "1,000円", "cheap"];
    expect(texts.map((text) => typed.test(text))).toEqual([true, true, true, false]);
  });

  it("filters by what titles tell, and names it in the reader's language", async () => {
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
      titledItem(11, "Jacket black size xl"),
      titledItem(12, "Jacket blue size s refurbished"),
      titledItem(13, "【状態B】 jacket"),
    ]);
    await matchAll(test.db);
    const site = createTestApi(test.db, {
      search: (query) => searchCatalogue(test.db, new Date(), query),
    });
    const read = async (path: string, language: string) =>
      (await site.get(path, { ...browser, "Accept-Language": language })).text();
    const all = await read("/?q=jacket", "en");
    for (const id of ["colour-black", "colour-blue", "size-xl", "size-s", "condition-refurbished"])
      expect(all).toContain(`id="f-${id}"`);
    const black = await read("/?q=jacket&colour=black&size=XL&condition=state", "ja");
    for (const label of ["黒", "サイズ XL", "状態 A–D"]) expect(black).toContain(`「${label}」`);
    expect(black).toMatch(/id="f-colour-black"[^>]*checked/);
    expect(black).toMatch(/id="f-size-xl"[^>]*checked/);
    expect(await read("/?q=jacket&colour=black", "en")).toContain("1 product");
  });

  it("offers what is popular in the same category where few are found", async () => {
    const plate = (id: number, title: string, over: object = {}) =>
      titledItem(id, title, { categories: ["皿"], stock: 1, ...over });
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
      plate(41, "Octagon plate"),
      plate(42, "Round plate"),
      plate(43, "Sold plate", { stock: 0 }),
      titledItem(44, "Other", { categories: ["椀"] }),
    ]);
    const asked: (readonly string[] | undefined)[] = [];
    const read = async (path: string, fails = false) => {
      const site = createTestApi(test.db, {
        search: async (query) => {
          asked.push(query.categories);
          if (fails && query.categories?.length) throw new Error("this search fails");
          return searchCatalogue(test.db, new Date(), query);
        },
      });
      const html = await (await site.get(path, browser)).text();
      const [hits = "", similar = ""] = html.split("Popular in the same category");
      const ids = (part: string) =>
        [...part.matchAll(/<h2 dir="auto"[^>]*><a href="\/products\/(\d+)"/g)].map(
          (match) => match[1],
        );
      expect(html).toContain("1 product");
      return { hits: ids(hits), similar: ids(similar) };
    };
    expect(await read("/?q=octagon")).toEqual({ hits: ["41"], similar: ["42"] });
    expect(asked).toEqual([[], ["皿"]]);
    expect(await read("/?q=octagon", true)).toEqual({ hits: ["41"], similar: [] });
    expect((await read("/?q=octagon&page=2")).similar).toEqual([]);
    expect((await read("/?category=椀")).similar).toEqual([]);
  });

  it("has what is sold out after what is available, except in orders by time and popularity", async () => {
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
      titledItem(21, "Umbrella", { price: 300, stock: 0, modified: 30 }),
      titledItem(22, "Umbrella", { price: 900, stock: 1, modified: 20 }),
      titledItem(23, "Umbrella", { price: 0, stock: 1, modified: 10 }),
      titledItem(24, "Umbrella", { price: 0, stock: 0, modified: 40 }),
    ]);
    const site = createTestApi(test.db, {
      search: (query) => searchCatalogue(test.db, new Date(), query),
    });
    const shown = async (sort: string) => {
      const html = await (await site.get(`/?q=umbrella&sort=${sort}`, browser)).text();
      return [...html.matchAll(/<h2 dir="auto"[^>]*><a href="\/products\/(\d+)"/g)].map((match) =>
        Number(match[1]),
      );
    };
    expect(new Set((await shown("")).slice(0, 2))).toEqual(new Set([22, 23]));
    expect(await shown("price:asc")).toEqual([22, 23, 21, 24]);
    expect(await shown("price:desc")).toEqual([22, 23, 21, 24]);
    expect(await shown("modified:desc")).toEqual([24, 21, 22, 23]);
    const answer = await site.get("/v1/products?q=umbrella&sort=price:asc");
    const { items } = (await answer.json()) as { items: { item_id: number }[] };
    expect(items.map((item) => item.item_id)).toEqual([21, 22, 23, 24]);
  });

  it("shows prices as the catalogue has them now, and tells demand what was shown", async () => {
    const shown: number[] = [];
    const zeroResults: [q: string, visitor: string][] = [];
    const site = createTestApi(test.db, {
      demand: {
        shown: (ids) => shown.push(...ids),
        opened() {},
        foundNothing: (q, visitor) => zeroResults.push([q, visitor]),
      },
      clientAddress: () => "192.0.2.7",
    });
    expect(await (await site.get("/?q=革財布", browser)).text()).toContain("¥900");
    expect(shown).toEqual([2, 1]);
    await site.get("/?q=存在しない", browser);
    await site.get("/v1/products?q=存在しない");
    const missed = ["存在しない", "192.0.2.7"];
    expect(zeroResults).toEqual([missed, missed]);
  });

  it("leads back from a page beyond the last, and does not say that nothing was found", async () => {
    const html = await (await createTestApi(test.db).get("/?q=革財布&page=9", browser)).text();
    expect(html).toContain("no products on this page");
    expect(html).not.toContain("No product matches");
    expect(html).toContain('rel="prev"');
  });

  it("answers 400 with what it could read, and 503 as a page while the database is away", async () => {
    const address = "/?q=革財布&price_min=cheap&colour=x&sort=x&per_page=x";
    const unread = await createTestApi(test.db).get(address, browser);
    expect(unread.status).toBe(400);
    const html = await unread.text();
    expect(html).toContain("left out: Price (Lowest), Colour, Sort by, per_page");
    expect(html).toContain("Prices are whole numbers");
    expect(html).toMatch(/name="price_min"[^>]* value="cheap"/);
    const away = await createTestApi(absentDb()).get("/", browser);
    expect([away.status, away.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await away.text()).toContain("Not available right now");
  });
});

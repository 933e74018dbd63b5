import { describe, expect, it } from "vitest";
import { filterKeysOf } from "../index/facet-key.ts";
import { quoted, toEngineQuery, toFilters } from "./engine-query.ts";

const page = { page: 1, perPage: 20 };

describe("toFilters", () => {
  it("A2: keeps a hostile value inside its quotes", () => {
    const shopIds = [String.raw`b" OR price < 0 OR shop_id = "\ `];
    const [filter = ""] = toFilters({ ...page, shopIds });
    const value = String.raw`"b\\" OR price < 0 OR shop_id = \\"\\\\ .[0-9a-f]{12}"`;
    expect(filter).toMatch(new RegExp(String.raw`^shop_id IN \[${value}, ${value}\]$`, "s"));
  });

  it("joins all restrictions, each on its own", () => {
    const query = {
      ...page,
      shopIds: ["a", "b"],
      excludeShopIds: ["c"],
      categories: ["バッグ"],
      gtins: ["04901234567894"],
      priceMin: 100,
      priceMax: 200,
      inStock: true,
      onSale: false,
    };
    expect(toFilters(query)).toEqual([
      'shop_id IN ["a", "b"]',
      'shop_id NOT IN ["c"]',
      `categories IN [${filterKeysOf("バッグ").map(quoted).join(", ")}]`,
      'gtins IN ["04901234567894"]',
      "price >= 100",
      "price <= 200",
      "in_stock = true",
      "on_sale = false",
    ]);
  });

  it("has no filters if the query has none", () => {
    expect(toFilters({ ...page, shopIds: [] })).toEqual([]);
  });
});

describe("toEngineQuery", () => {
  it("normalises the query as the documents are, and says that it is Japanese", () => {
    expect(toEngineQuery({ ...page, q: "ﾊﾝﾄﾞﾒｲﾄﾞ －革" })).toMatchObject({
      q: "ハンドメイド -革",
      locales: ["jpn"],
      page: 1,
      hitsPerPage: 20,
    });
  });

  it("breaks ties of a requested order by id", () => {
    expect(toEngineQuery({ ...page, sort: "price:asc" }).sort).toEqual(["price:asc", "id:asc"]);
    expect(toEngineQuery({ ...page, q: "財布" }).sort).toEqual(["in_stock:desc"]);
    expect(toEngineQuery({ ...page, sort: "price:asc", availableFirst: true }).sort).toEqual([
      "in_stock:desc",
      "price:asc",
      "id:asc",
    ]);
  });

  it("leaves the length of titles out of a search for no word", () => {
    for (const q of ["", " ", "-革", '""']) {
      const { sort } = toEngineQuery({ ...page, q });
      expect(sort).toEqual(["in_stock:desc", "popularity:desc", "modified:desc", "id:asc"]);
    }
  });
});

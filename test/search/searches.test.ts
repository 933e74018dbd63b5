import { beforeAll, describe, expect, it } from "vitest";
import { highlightClose, highlightOpen } from "../../src/search/index/normalise.ts";
import type { ProductQuery } from "../../src/search/query/query.ts";
import { createSearch } from "../../src/search/search.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";

const titles = [
  "手作りの革財布 ブラウン",
  "財布用チェーン",
  "ﾊﾝﾄﾞﾒｲﾄﾞのピアス",
  "ＡＢＣ１２３",
  "東京都のお土産",
  "京都のお土産",
  "iPhone15用ケース",
  "ウール100%マフラー",
  "髙橋工房の器",
  "ビンテージ着物",
  "布のバッグ",
  "三日月掛け時計 20cm",
];

const test = openedForAll(createTestMirror);
let search: (query: Partial<ProductQuery>) => Promise<string[]>;

beforeAll(async () => {
  const items = titles.map((title, i) =>
    searchItem(i + 1, {
      title,
      detail: "",
      identifier: null,
      price: 1000 - i,
      stock: i % 2,
      categories: [i < 5 ? "前半" : "後半"],
      variations: [],
      shopName: "店",
      shopId: i === 4 ? String.raw`a"b\c` : "shop-1",
    }),
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
  const products = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  search = async (query) => {
    const { ids } = await products.search({ page: 1, perPage: 20, match: "all", ...query });
    return ids.map((id) => titles[id - 1] ?? "?");
  };
});

describe("searching in Japanese", () => {
  it.each([
    ["革財布", ["手作りの革財布 ブラウン"]],
    ["財布", ["財布用チェーン", "手作りの革財布 ブラウン"]],
    ["ハンドメイド", ["ﾊﾝﾄﾞﾒｲﾄﾞのピアス"]],
    ["ﾊﾝﾄﾞﾒｲﾄﾞ", ["ﾊﾝﾄﾞﾒｲﾄﾞのピアス"]],
    ["abc123", ["ＡＢＣ１２３"]],
    ["京都", ["京都のお土産"]],
    ["東京都", ["東京都のお土産"]],
    ["15", ["iPhone15用ケース"]],
    ["100%", ["ウール100%マフラー"]],
    ["高橋", ["髙橋工房の器"]],
    ["髙橋", ["髙橋工房の器"]],
    ["ヴィンテージ", ["ビンテージ着物"]],
    ["布", ["布のバッグ"]],
    ["財布 -革", ["財布用チェーン"]],
    ['"革財布"', ["手作りの革財布 ブラウン"]],
    // The engine cuts the whole title elsewhere.
    ['"三日月"', ["三日月掛け時計 20cm"]],
    ['時計 -"三日月"', []],
    ["お土産 －京都", ["東京都のお土産"]],
    ["kurabeepoch", []],
  ])("%s finds %j", async (q, expected) => {
    expect((await search({ q })).toSorted()).toEqual(expected.toSorted());
  });
});

describe("restricting and ordering", () => {
  it("filters by shop, also one with a hostile name, category, price and stock", async () => {
    expect(await search({ shopIds: [String.raw`a"b\c`] })).toEqual(["東京都のお土産"]);
    expect(await search({ q: "お土産", excludeShopIds: [String.raw`a"b\c`] })).toEqual([
      "京都のお土産",
    ]);
    expect(await search({ categories: ["前半"], inStock: true })).toHaveLength(2);
    expect(await search({ priceMin: 999, priceMax: 1000 })).toHaveLength(2);
    expect(await search({ onSale: false })).toHaveLength(0);
  });

  it("keeps a requested order strictly, over adjoining pages", async () => {
    const cheapest = await search({ sort: "price:asc", perPage: 4 });
    const next = await search({ sort: "price:asc", perPage: 4, page: 2 });
    expect([...cheapest, ...next]).toEqual(titles.toReversed().slice(0, 8));
  });

  it("prefers what is in stock among equals", async () => {
    const both = await search({ q: "お土産" });
    expect(both).toEqual(["京都のお土産", "東京都のお土産"]);
  });

  it("counts exactly, marks the matches and counts facets", async () => {
    const products = createSearch({ ...test, searchDb: test.db, clock: systemClock });
    const hits = await products.search({
      q: "革財布",
      page: 1,
      perPage: 20,
      facets: ["shop_id", "category", "price", "in_stock"],
    });
    expect(hits).toMatchObject({ found: 1, foundExact: true, indexUid: test.indexUid });
    expect(hits.titles.get(1)).toContain(`${highlightOpen}財布${highlightClose}`);
    expect(hits.facets).toEqual({
      shop_id: [{ value: "shop-1", count: 1 }],
      category: [{ value: "前半", count: 1 }],
      in_stock: [{ value: "false", count: 1 }],
      price: { min: 1000, max: 1000 },
    });
  });
});

import { sql, type SQL } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Db } from "../../src/db/open.ts";
import { searchCatalogue, searchDegraded } from "../../src/search/query/sql/fallback.ts";
import { maxPool } from "../../src/search/query/sql/pool.ts";
import { productSorts, type ProductQuery } from "../../src/search/query/query.ts";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);

const now = new Date("2026-01-02T00:00:00Z");
const page = { page: 1, perPage: 20 };

/** From now on the catalogue counts as one of a hundred thousand products more. */
const pretendLarge = (db: Db) =>
  db.execute(sql`insert into count_change (name, key, n) values ('state', 'live', 100000)`);

/** Each product's text is this expression. */
const writeTexts = (db: Db, text: SQL) =>
  db.execute(sql`
    insert into product_text (item_id, body, words, title_length, in_stock, popularity)
    select item_id, text, to_tsvector('simple', text), length(text), true, 0
    from product, lateral (select ${text} as text) t`);

describe("a search of a large catalogue by Postgres", () => {
  it("answers as a search of all products does where few can match", async () => {
    const titles = ["革財布 茶", "革財布 黒", "トートバッグ", "Leather wallet", "革のバッグ"];
    const items = Array.from({ length: 60 }, (_, i) =>
      searchItem(i + 1, {
        title: titles[i % titles.length] ?? "",
        shopId: `shop-${i % 4}`,
        price: 100 + ((i * 37) % 900),
        stock: i % 3,
        modified: 1_700_000_000 + ((i * 13) % 60),
        categories: i % 2 ? ["財布"] : ["バッグ", "革"],
      }),
    );
    await storeItems(test.db, "2026-01-01T00:00:00Z", items.slice(0, 30));
    await storeItems(test.db, "2026-01-01T23:00:00Z", items.slice(30));
    const restrictions: Partial<ProductQuery>[] = [
      {},
      { q: "革財布" },
      { q: "革 -黒" },
      { q: "-黒" },
      { q: '"のバッグ"', shopIds: ["shop-0", "shop-3"] },
      { maxAgeSeconds: 7200 },
      { maxAgeSeconds: 7200, q: "wallet", inStock: true },
      { shopIds: ["shop-1"], categories: ["財布"], group: "gtin" },
      {
        categories: ["革"],
        priceMin: 200,
        priceMax: 700,
        facets: ["category", "price", "shop_id"],
      },
    ];
    const queries = restrictions.flatMap((restriction) =>
      productSorts.map((sort): ProductQuery => ({ ...page, ...restriction, sort })),
    );
    const answer = () => Promise.all(queries.map((query) => searchCatalogue(test.db, now, query)));
    const whole = await answer();
    expect(whole.map(({ found }) => found)).toContain(30);
    await pretendLarge(test.db);
    expect(await answer()).toEqual(whole);
  });

  it("looks at a bounded number of products where many match, and says so", async () => {
    const each = 150;
    await fillCatalogue(test.db, { shops: 20, each, at: new Date("2026-01-01T00:00:00Z") });
    await writeTexts(test.db, sql`title`);
    await test.db.execute(sql`update product set order_rank = item_id where item_id % 500 = 7`);
    await test.db.execute(sql`vacuum analyze product, product_schedule, product_text`);
    await pretendLarge(test.db);
    const shops = Array.from({ length: 10 }, (_, i) => `s-${i + 1}`);
    for (const restriction of [
      {},
      { q: "product" },
      { maxAgeSeconds: 200_000 },
      { shopIds: shops },
      { sort: "price:asc", group: "gtin", facets: ["shop_id", "price"] },
    ] as Partial<ProductQuery>[]) {
      const hits = await searchDegraded(test.db, now, { ...page, ...restriction });
      expect([restriction, hits.foundExact, hits.found]).toEqual([restriction, false, maxPool]);
      expect(hits.warnings.join()).toContain("were checked");
    }
    const popular = await searchCatalogue(test.db, now, { ...page, sort: "popularity:desc" });
    expect(popular.ids.slice(0, 5)).toEqual([7, 507, 1007, 1507, 2007]);
    const shop = await searchCatalogue(test.db, now, { ...page, shopIds: ["s-3"] });
    expect(shop).toMatchObject({ found: each, foundExact: true, warnings: [] });
    const small = await searchCatalogue(test.db, now, { ...page, maxAgeSeconds: 60 });
    expect(small).toMatchObject({ found: 0, foundExact: true, warnings: [] });
    for (const text of [
      `select item_id from product where state <> 'gone'
        order by popularity desc nulls last, modified desc nulls last limit ${maxPool + 1}`,
      `select item_id from product_schedule where checked_at >= '2025-12-01' order by checked_at desc limit ${maxPool + 1}`,
    ]) {
      const plan = await test.db.execute<{ "QUERY PLAN": string }>(sql.raw(`explain ${text}`));
      expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(
        /Limit[^\n]*\n *->  Index (Only )?Scan/,
      );
    }
  });
  it("looks for words that very many products have among the first ones alone, and for a rarer one everywhere", async () => {
    await fillCatalogue(test.db, { shops: 20, each: 150, at: new Date("2026-01-01T00:00:00Z") });
    const has = (word: string, when: SQL) => sql`case when ${when} then ${word}::text else '' end`;
    await writeTexts(
      test.db,
      sql`${has("wool ", sql`item_id % 100 < 55`)} || ${has("blue ", sql`item_id % 100 >= 50`)} || ${has("rare", sql`item_id % 100 = 50`)}`,
    );
    await pretendLarge(test.db);
    const found = async (q: string) => {
      const hits = await searchCatalogue(test.db, now, { ...page, q });
      return [hits.found, hits.foundExact];
    };
    expect(await found("wool blue")).toEqual([150, false]);
    expect(await found("wool rare")).toEqual([30, true]);
  });
});

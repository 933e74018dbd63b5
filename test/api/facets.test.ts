import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { keepCounts, readCategories } from "../../src/catalog/counts.ts";
import { shopsByPrefix } from "../../src/catalog/shops.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createEngine } from "../../src/search/engine/engine.ts";
import { fingerprintOf, toFacetKey } from "../../src/search/index/facet-key.ts";
import type { Mirror } from "../../src/search/mirror/mirror.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";

/** More values of each facet than the engine counts. */
const many = 1200;
const test = openedForAll(createTestMirror);
let mirror: Mirror;
let api: TestApi;
/** With an engine that does not answer. */
let degraded: TestApi;

beforeAll(async () => {
  await test.db.execute(sql`
    insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
    select 'shop-' || i, case when i = 1150 then 'Müller ' || i when i > 1100 then 'ﾚｱ・Shop ' || i else '店 ' || i end, '', now(), now()
    from generate_series(1, ${many}::integer) i`);
  await test.db.execute(sql`analyze shop`);
  // Shops 1 to 9 sell three products, those up to 1,100 two, the rare ones one.
  await test.db.execute(sql`
    insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order,
      images, variations, categories, modified, first_seen_at, checked_at, changed_at, price_since,
      last_call_id)
    select n * 10000 + i, 'shop-' || i, 1, 'live', '革財布 ' || i, '', 100 * i + n, 1, 1, 1, '[]', '[]',
      jsonb_build_array(case when i = 1150 then 'Käse ' || i when i > 1100 then 'バッグ ' || i else 'その他 ' || i end),
      1700000000, now(), now(), now(), now(), 1
    from generate_series(1, ${many}::integer) i, generate_series(1, 3) n
    where n <= case when i < 10 then 3 when i <= 1100 then 2 else 1 end`);
  mirror = test.start();
  await drain(test.db, mirror, test.indexPrefix);
  const options = { ...test, searchDb: test.db, clock: systemClock };
  api = createTestApi(test.db, createSearch(options));
  const engine = createEngine({ host: "http://127.0.0.1:1", apiKey: null, clock: systemClock });
  degraded = createTestApi(test.db, createSearch({ ...options, engine }));
});

interface Body {
  found: number;
  items: { value: string; count: number; label?: string }[];
  exact: boolean;
  degraded: boolean;
  errors: { parameter: string; message: string }[];
  facets: {
    shop_id: unknown[];
    category: { value: string }[];
    price: { histogram: { from: number; to: number; count: number }[] };
  };
  facets_exact: Record<string, boolean>;
}

const json = (from: TestApi, path: string, status?: number) => from.json<Body>(path, status);

const q = (text: string) => `q=${encodeURIComponent(text)}`;

describe("GET /v1/facets/{name}", () => {
  it("finds values that are too rare for the list of all, in any spelling", async () => {
    for (const path of ["", "&query=革財布", "&price_min=1&in_stock=true", "&group=gtin"]) {
      for (const typed of ["レア・shop 117", "れあ・ＳＨＯＰ 117"]) {
        const { items, exact } = await json(api, `/v1/facets/shop_id?${q(typed)}${path}`);
        expect(exact).toBe(true);
        expect(items).toEqual(
          Array.from({ length: 10 }, (_, i) => ({
            value: `shop-${1170 + i}`,
            count: 1,
            label: `ﾚｱ・Shop ${1170 + i}`,
          })),
        );
      }
    }
    for (const typed of ["ﾊﾞｯｸﾞ 1200", "ばっぐ 1200"]) {
      const { items } = await json(api, `/v1/facets/category?${q(typed)}`);
      expect(items).toEqual([{ value: "バッグ 1200", count: 1 }]);
    }
  });

  it("takes ae, oe and ue for ä, ö and ü", async () => {
    for (const from of [api, degraded]) {
      const shops = await json(from, "/v1/facets/shop_id?q=Muell");
      expect(shops.items).toEqual([{ value: "shop-1150", count: 1, label: "Müller 1150" }]);
      const categories = await json(from, "/v1/facets/category?q=kaese");
      expect(categories.items).toEqual([{ value: "Käse 1150", count: 1 }]);
    }
  });

  it("answers the same by Postgres while the engine does not answer", async () => {
    for (const [name, typed] of [
      ["shop_id", "れあ・shop 12"],
      ["shop_id", "SHOP-119"],
      ["category", "バッグ 12"],
      ["category", "その他 1"],
    ] as const) {
      const path = `/v1/facets/${name}?${q(typed)}&facet_limit=30`;
      const other = await json(degraded, path);
      expect(other).toMatchObject({ degraded: true, exact: true });
      expect((await json(api, path)).items).toEqual(other.items);
      expect(other.items.length).toBeGreaterThan(0);
    }
  });

  it("takes names of shops that no index could hold whole, and prefixes as long", async () => {
    // Random, because a text that repeats itself is stored in a few bytes.
    const name = Array.from({ length: 300 }, () => randomBytes(12).toString("hex")).join("");
    await test.db.execute(sql`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      values ('shop-long', ${name}, '', now(), now())`);
    const { items, exact } = await json(api, `/v1/facets/shop_id?q=${name.slice(0, 200)}`);
    expect({ items, exact }).toEqual({ items: [], exact: true });
  });

  it("finds shops by two indexes, not by reading all of them", async () => {
    const plan = await test.db.execute<{ "QUERY PLAN": string }>(
      sql`explain ${shopsByPrefix(["れあ"])}`,
    );
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("shop_name_folded");
    expect(text).toContain("shop_id_folded");
    expect(text).not.toContain("Seq Scan");
  });

  it("counts without the own restriction, under all others", async () => {
    const path = `/v1/facets/shop_id?${q("shop-1")}&shop_id=shop-7&price_max=1101&facet_limit=3`;
    expect((await json(api, path)).items).toEqual([
      { value: "shop-1", count: 3, label: "店 1" },
      { value: "shop-10", count: 2, label: "店 10" },
      { value: "shop-11", count: 1, label: "店 11" },
    ]);
  });

  it("A1: names everything that cannot be used, with what can", async () => {
    const { errors } = await json(
      api,
      "/v1/facets/price?page=2&facet_limit=101&price_min=9&price_max=1",
      400,
    );
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual([
      "facet_limit",
      "name",
      "page",
      "price_min",
    ]);
    expect(errors.find(({ parameter }) => parameter === "name")?.message).toContain(
      "category, shop_id",
    );
  });
});

describe("facets of GET /v1/products", () => {
  it("name as many values as were asked for, shops with their names", async () => {
    for (const from of [api, degraded]) {
      const body = await json(from, "/v1/products?facets=shop_id,category&facet_limit=2");
      expect(body.facets.shop_id).toEqual([
        { value: "shop-1", count: 3, label: "店 1" },
        { value: "shop-2", count: 3, label: "店 2" },
      ]);
      expect(body.facets_exact).toEqual({ shop_id: true, category: true });
    }
    const cut = await json(api, "/v1/products?facets=shop_id&facet_limit=100");
    expect(cut.facets_exact).toEqual({ shop_id: false });
  });

  it("are filters, as all counted categories are, however long and many a product's names are", async () => {
    const shopId = "a shop\t".repeat(200);
    const long = "長い棚".repeat(500);
    const others = Array.from({ length: 98 }, (_, i) => `棚 ${i}`);
    const categories = [long, fingerprintOf(toFacetKey(long)), ...others];
    const item = searchItem(7, { title: "戸棚", price: 0, shopId, categories });
    await storeItems(test.db, "2026-01-01T00:00:00Z", [item]);
    await drain(test.db, mirror, test.indexPrefix);
    const counted = (await readCategories(test.db, { limit: 10_000, offset: 0 }))
      .map(({ category }) => category)
      .filter((name) => categories.includes(name));
    expect(counted.toSorted()).toEqual(categories.toSorted());
    const found = `q=${encodeURIComponent("戸棚")}&facets=category,shop_id&facet_limit=100`;
    for (const from of [api, degraded, api]) {
      const { facets } = await json(from, `/v1/products?${found}`);
      expect(facets.shop_id).toMatchObject([{ value: shopId, count: 1, label: "革工房" }]);
      expect(facets.category.map(({ value }) => value).toSorted()).toEqual(counted.toSorted());
      for (const name of [long, "棚 20", "棚 97"]) {
        const filter = new URLSearchParams([
          ["category", name],
          ["shop_id", shopId],
        ]);
        expect((await json(from, `/v1/products?${filter.toString()}`)).found).toBe(1);
      }
      // Names are found in the sums, too.
      await keepCounts(test.db, systemClock, 100_000);
    }
  });

  it("count prices by range, also if there are more prices than the engine counts", async () => {
    const path = "/v1/products?facets=price&per_page=1&price_max=5";
    const { facets } = await json(api, path);
    const prices = Array.from({ length: many }, (_, i) => i + 1).flatMap((i) =>
      [1, 2, 3].slice(0, i < 10 ? 3 : i <= 1100 ? 2 : 1).map((n) => 100 * i + n),
    );
    const { histogram } = facets.price;
    expect(histogram).toEqual(
      histogram.map(({ from, to }) => ({
        from,
        to,
        count: prices.filter((price) => price >= from && price <= to).length,
      })),
    );
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(prices.length);
    expect((await json(degraded, path)).facets).toEqual(facets);
  });
});

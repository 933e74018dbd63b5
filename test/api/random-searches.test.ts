import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { searchableFacets } from "../../src/search/query/facet-values.ts";
import { createSearch } from "../../src/search/search.ts";
import { clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { storeGroup, type Member } from "../support/matches.ts";
import type { Db } from "../../src/db/open.ts";
import { storeGenerated } from "../support/generated.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { prepareOracle, tellValues } from "../support/search-oracle.ts";
import {
  anyQuery,
  differences,
  readVocabulary,
  toFacetPath,
  toPath,
  type Vocabulary,
} from "../support/search-proof.ts";
import { itLong } from "../support/it-long.ts";

const numRuns = inject("long") ? 120 : 10;
const clock = clockAt("2026-01-02T00:00:00.000Z");
const test = openedForAll(createTestMirror);
let api: TestApi;
let vocabulary: Vocabulary;

beforeAll(async () => {
  await storeGenerated(test.db, "2026-01-01T00:00:00.000Z", 400);
  await storeGenerated(test.db, "2026-01-01T12:00:00.000Z", 150);
  // First seen in one second, and with contents.
  await storeItems(
    test.db,
    "2026-01-01T06:00:00.700Z",
    Array.from({ length: 30 }, (_, i) => tea(i)),
  );
  await storeItems(
    test.db,
    "2026-01-01T06:00:00.900Z",
    Array.from({ length: 30 }, (_, i) => tea(30 + i)),
  );
  await storeAttributes(test.db);
  await drain(test.db, test.start(), test.indexPrefix);
  await storeGroups(test.db, 3);
  await prepareOracle(test.db);
  vocabulary = await readVocabulary(test.db, ["ピアス", "椅子", "万年筆", "紅茶", "マフラー"]);
  api = createTestApi(test.db, { clock, ...createSearch({ ...test, searchDb: test.db, clock }) });
});

/** Of two products each, every `step`th product first. */
async function storeGroups(db: Db, step: number): Promise<void> {
  const rows = await db.execute<{ item_id: number }>(sql`select item_id from product order by 1`);
  for (let i = 0; i + 1 < rows.length; i += step) {
    await storeGroup(
      db,
      rows.slice(i, i + 2).map(({ item_id: id }): Member => [id]),
    );
  }
}

/** Of most products, in turn; each kind is missing somewhere. */
async function storeAttributes(db: Db): Promise<void> {
  await db.execute(sql`
    insert into product_attribute (item_id, models, colours, size, condition)
    select item_id, '{}', (array['{}', '{black}', '{blue,black}'])[1 + nr % 3]::text[],
      (array['s', 'xl', null])[1 + nr / 3 % 3], (array['used', 'graded 9.5', 'graded 10', null])[1 + nr / 9 % 4]
    from (select item_id, row_number() over (order by item_id)::int as nr from product) numbered
    where nr % 7 > 0`);
}

/** In g, ml or bags, some without a content, some without a price. */
function tea(i: number) {
  const content = ["g", "ml", "袋", ""][i % 4] ?? "";
  return searchItem(9_000_000 - i, {
    title: content === "" ? `紅茶 ${i}` : `紅茶 ${((i % 7) + 1) * 50}${content}`,
    price: (i % 6) * 100,
    properPrice: i % 3 === 0 ? 600 : null,
    variations: [],
  });
}

describe("GET /v1/products at random", () => {
  it("finds, orders, counts and groups as plain SQL does, whatever is combined", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(vocabulary, 100_000), async (query) => {
        const response = await api.get(toPath(query));
        expect(await differences(test.db, query, clock.now(), response)).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("counts the values of a facet by their beginning as plain SQL does, in any spelling", async () => {
    const shopNames = await test.db.execute<{ shop_name: string }>(
      sql`select shop_name from shop order by 1 limit 50`,
    );
    const { categories, colours, sizes, conditions } = vocabulary;
    const told = [...categories, ...colours, ...sizes, ...conditions];
    const beginnings = [...told, ...shopNames.map((row) => row.shop_name)];
    const anyPrefix = fc
      .record({
        text: fc.constantFrom("", ...vocabulary.shops, ...beginnings),
        length: fc.nat(4),
        spelling: fc.constantFrom("NFC" as const, "NFKC" as const, "NFD" as const),
        isUpper: fc.boolean(),
      })
      .map(({ text, length, spelling, isUpper }) => {
        const beginning = Array.from(text).slice(0, length).join("").normalize(spelling);
        return isUpper ? beginning.toUpperCase() : beginning;
      });
    const anyFacet = fc.record({
      facet: fc.constantFrom(...searchableFacets),
      prefix: anyPrefix,
      limit: fc.constantFrom(1, 5, 100),
    });
    await fc.assert(
      fc.asyncProperty(anyQuery(vocabulary, 100_000), anyFacet, async (query, wanted) => {
        const answer = await api.json(toFacetPath(query, wanted));
        const { items, exact } = facetSchema.parse(answer);
        const expected = await tellValues(test.db, query, clock.now(), wanted);
        expect([items, exact]).toEqual([expected.slice(0, wanted.limit), true]);
      }),
      { numRuns },
    );
  });

  itLong("control: a search that forgets one of its filters is caught", async () => {
    const search = createSearch({ ...test, searchDb: test.db, clock });
    const naive = createTestApi(test.db, {
      clock,
      search: ({ onSale: _, ...query }) => search.search(query),
    });
    const outcome = await fc.check(
      fc.asyncProperty(anyQuery(vocabulary, 100_000), async (query) => {
        const response = await naive.get(toPath(query));
        expect(await differences(test.db, query, clock.now(), response)).toEqual([]);
      }),
      { numRuns, endOnFailure: true },
    );
    expect(outcome.failed).toBe(true);
  });

  it("A1, A2, A5: answers or says what is wrong, and shows nothing its filters forbid", async () => {
    await fc.assert(
      fc.asyncProperty(anyParameters(vocabulary), async (parameters) => {
        const response = await api.get(
          `/v1/products?${new URLSearchParams(parameters).toString()}`,
        );
        expect([200, 400]).toContain(response.status);
        if (response.status === 400) return;
        const { items } = pageSchema.parse(await response.json());
        for (const item of items) expectAllowed(item, parameters);
      }),
      { numRuns: 2 * numRuns },
    );
  });
});

/** Names and values, good, hostile and mistaken ones, in any number. */
function anyParameters({ shops, categories, gtins }: Vocabulary): fc.Arbitrary<[string, string][]> {
  const hostile = fc.constantFrom('b" OR price<0 OR "', "a\\", "'] OR [", "\0", "-", '"', "%", "");
  const anyUnits = fc
    .array(fc.nat(0xffff), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units));
  const text = fc.oneof(anyUnits, hostile);
  const number = fc.oneof(fc.nat(20_000).map(String), fc.constantFrom("-1", "1e9", "NaN", "01"));
  const flag = fc.constantFrom("true", "false", "true", "false", "yes");
  const values = {
    q: fc.oneof(text, fc.constantFrom("財布 -革", '"革財布"', '-"', "ﾘｭｯｸ", "coffee")),
    shop_id: fc.oneof(fc.constantFrom(...shops), text),
    exclude_shop_id: fc.oneof(fc.constantFrom(...shops), text),
    category: fc.oneof(fc.constantFrom(...categories), text),
    gtin: fc.oneof(fc.constantFrom(...gtins), number),
    price_min: number,
    price_max: number,
    in_stock: flag,
    on_sale: flag,
    max_age_s: fc.oneof(fc.nat(100_000).map(String), number),
    sort: fc.constantFrom("price:asc", "unit_price:asc", "first_seen:desc", "relevance", "price"),
    page: fc.constantFrom("1", "1", "2", "0", "10000"),
    per_page: fc.constantFrom("1", "20", "100", "101"),
    condition: fc.oneof(fc.constantFrom("used", "graded", "new"), text),
    colour: fc.oneof(fc.constantFrom("black", "blue", "noir"), text),
    size: fc.oneof(fc.constantFrom("s", "XL"), text),
    facets: fc.constantFrom(
      "shop_id",
      "category,price,in_stock",
      "condition,size,colour",
      "price,price",
      "title",
    ),
    group: fc.constantFrom("gtin", "product", "shop"),
    fields: fc.constantFrom("price", "shop,stock", "none"),
  };
  const one = Object.entries(values).map(([name, value]) =>
    fc.tuple(fc.constant(name), value as fc.Arbitrary<string>),
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.uniqueArray(fc.oneof(...one), { maxLength: 5, selector: ([n]) => n }),
    },
    { weight: 1, arbitrary: fc.array(fc.oneof(...one), { maxLength: 6 }) },
  );
}

const facetSchema = z.object({
  exact: z.boolean(),
  items: z.array(z.object({ value: z.string(), count: z.int(), label: z.string().optional() })),
});

const pageSchema = z.object({
  items: z.array(
    z
      .object({
        price: z.number(),
        proper_price: z.number().nullable(),
        in_stock: z.boolean(),
        age_s: z.number(),
        gtins: z.array(z.string()),
        categories: z.array(z.string()),
        shop: z.object({ shop_id: z.string() }),
      })
      .partial(),
  ),
});
type Item = z.infer<typeof pageSchema>["items"][number];

/** With `fields`, what is not there is not judged. */
function expectAllowed(item: Item, parameters: [string, string][]): void {
  const params = (name: string) =>
    parameters.flatMap(([key, value]) => (key === name ? [value] : []));
  const [min] = params("price_min");
  const [max] = params("price_max");
  const [age] = params("max_age_s");
  const [inStock] = params("in_stock");
  const [onSale] = params("on_sale");
  const { price, shop, categories, gtins } = item;
  if (price !== undefined) {
    expect(price).toBeGreaterThanOrEqual(Number(min ?? 0));
    expect(price).toBeLessThanOrEqual(Number(max ?? Infinity));
    if (item.proper_price !== undefined && onSale !== undefined) {
      expect(String((item.proper_price ?? 0) > price)).toBe(onSale);
    }
  }
  if (shop) {
    if (params("shop_id").length > 0) expect(params("shop_id")).toContain(shop.shop_id);
    expect(params("exclude_shop_id")).not.toContain(shop.shop_id);
  }
  if (item.in_stock !== undefined && inStock) expect(String(item.in_stock)).toBe(inStock);
  if (item.age_s !== undefined) expect(item.age_s).toBeLessThanOrEqual(Number(age ?? Infinity));
  const meets = (given: string[] | undefined, wanted: string[]) =>
    given === undefined || wanted.length === 0 || given.some((value) => wanted.includes(value));
  expect(meets(categories, params("category"))).toBe(true);
  const padded = (codes: string[]) => codes.map((code) => code.padStart(14, "0"));
  expect(meets(gtins && padded(gtins), padded(params("gtin")))).toBe(true);
}

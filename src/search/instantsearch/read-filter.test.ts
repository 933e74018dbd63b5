import { describe, expect, it } from "vitest";
import { passes, toEngineFilter } from "./filter-engine.ts";
import { QueryFault } from "./query-fault.ts";
import { readFilter } from "./read-filter.ts";

const values: Record<string, string[]> = {
  id: ["7"],
  shop_id: ["BAG shop"],
  categories: ["バッグ", "財布"],
  gtins: [],
  in_stock: ["true"],
  price: ["1500"],
};
const passing = (source: unknown) => passes(readFilter(source), (name) => values[name] ?? []);

function faultOf(source: unknown): string {
  try {
    readFilter(source);
  } catch (error) {
    if (error instanceof QueryFault) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("filters of InstantSearch", () => {
  it.each([
    "price = 1500",
    "price = 1.5e3",
    'price > "1000" AND price <= 1500',
    "price 1000 TO 2000",
    "NOT price = 3 AND (id = 8 OR id IN [6, 7])",
    "price < 99999999999999999999999",
    "in_stock = TRUE",
    "gtins IS EMPTY AND price EXISTS AND NOT price IS NULL",
    "discount_percent IS NOT EMPTY AND NOT discount_percent < 10",
    "categories != 食器",
    '"shop_id" = "BAG shop"',
    "",
    [],
    [[]],
    ["in_stock = true", ["price = 1", "categories = 財布"]],
  ])("%j lets the product pass", (source) => {
    expect(passing(source)).toBe(true);
  });

  it.each([
    "price = abc",
    "price > NaN",
    "in_stock = maybe",
    "gtins IS NOT EMPTY",
    "price NOT EXISTS",
    "price IS NULL",
    "categories NOT IN [財布, 食器]",
    'shop_id = "bag shop"',
    "price IN []",
    ["in_stock = true", ["price = 1", "categories = 食器"]],
  ])("%j does not", (source) => {
    expect(passing(source)).toBe(false);
  });

  it("are sent to the engine with its names, and without any text of the sender unquoted", () => {
    expect(toEngineFilter(readFilter('category = "a\\" OR id = 1"'))).toMatch(
      /^\(categories IN \["a\\" OR id = 1.*"\]\)$/s,
    );
    expect(toEngineFilter(readFilter("gtins IS EMPTY OR price >= 1e3"))).toBe(
      "((gtins IS EMPTY OR price >= 1000))",
    );
  });

  it.each([
    ["price", "Was expecting an operation"],
    ["price = AND", "is a reserved keyword"],
    ["price = 1 stock = 2", "unexpected characters at the end of the filter: `stock`"],
    ["(price = 1", "Was expecting `)` but instead got nothing"],
    ["title = a", "Attribute `title` is not filterable"],
    ["_geoRadius(1, 2, 3)", "Attribute `_geo` is not filterable"],
    ["shop_id > a", "Filter operator `>` is not allowed for the attribute `shop_id`"],
    ["shop_id STARTS WITH a", "Filter operator `STARTS WITH` is not allowed"],
    [{}, "expected String, Array, found: {}"],
    [[{}], "expected String, [String], found: {}"],
    [[[1]], "expected String, found: 1"],
    [`${"(".repeat(200)}id = 1${")".repeat(200)}`, "nested deeper than 100"],
    [`id IN [${"1,".repeat(300)}]`, "at most 200 values"],
    [Array.from({ length: 300 }, () => "id = 1"), "at most 200 entries"],
  ])("%j is refused, and the fault says why", (source, why) => {
    expect(faultOf(source)).toContain(`invalid_search_filter: `);
    expect(faultOf(source)).toContain(why);
  });

  it("names the feature that Meilisearch would need for CONTAINS", () => {
    expect(faultOf("shop_id NOT CONTAINS a")).toContain("feature_not_enabled: Using `CONTAINS`");
  });
});

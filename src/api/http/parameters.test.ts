import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apiWithoutDb } from "../../../test/support/api.ts";
import { problemOf } from "../../../test/support/problem.ts";
import { EngineUnavailable } from "../../search/engine/engine.ts";

async function refused(path: string): Promise<string[]> {
  const response = await apiWithoutDb().get(path);
  expect(response.status).toBe(400);
  return (await problemOf(response)).errors.map(({ parameter }) => parameter).toSorted();
}

describe("parameters", () => {
  it("A1: names every bad parameter at once", async () => {
    expect(
      await refused(
        "/v1/products?per_page=0&page=NaN&price_min=-1&in_stock=yes&sort=name&limit=3&q=a&q=b&facets=title",
      ),
    ).toEqual(["facets", "in_stock", "limit", "page", "per_page", "price_min", "q", "sort"]);
  });

  it("says of one that is missing that it must be given", async () => {
    const { errors } = await problemOf(await apiWithoutDb().get("/v1/suggest"));
    expect(errors).toEqual([{ parameter: "q", message: "must be given" }]);
  });

  it.each([
    "limit=-1",
    "per_page=101",
    "per_page=1e1",
    "per_page=",
    "page=0x10",
    "page[]=1",
    "page=1&page=1",
    "price_max=1.5",
    "price_max=99999999999999999999",
    "price_min=5&price_max=4",
    "on_sale=TRUE",
    "sort=relevance&sort=relevance",
    "shop_id=",
    "gtin=4901234567890",
    "facets=price,",
    "__proto__=1",
    "constructor=1",
    `q=${"a".repeat(201)}`,
    `shop_id=${"a".repeat(2001)}`,
    Array.from({ length: 51 }, (_, i) => `shop_id=${i}`).join("&"),
  ])("A1: refuses ?%s", async (query) => {
    expect(await refused(`/v1/products?${query}`)).toHaveLength(1);
  });

  it("says of a time with a + how an address has it", async () => {
    const since = "2026-01-31T09:00:00+09:00";
    const { errors } = await problemOf(await apiWithoutDb().get(`/v1/price-drops?since=${since}`));
    expect(errors).toEqual([
      { parameter: "since", message: expect.stringContaining("in an address, + is %2B") },
    ]);
  });

  it.each(["0000-01-01", "0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"])(
    "A1: refuses ?since=%s, which no database reads",
    async (since) => {
      for (const path of ["/v1/price-drops", "/v1/products/1/history"]) {
        expect(await refused(`${path}?since=${since}`)).toEqual(["since"]);
      }
    },
  );

  it("says what would be right", async () => {
    const response = await apiWithoutDb().get("/v1/products?sort=cheap&tint=red");
    const { errors } = await problemOf(response);
    expect(errors).toEqual([
      {
        parameter: "sort",
        message:
          "must be one of: relevance, price:asc, price:desc, unit_price:asc, first_seen:desc, modified:desc, discount:desc, popularity:desc",
      },
      {
        parameter: "tint",
        message: expect.stringMatching(/known are: q, match, shop_id, .*facets/),
      },
    ]);
  });

  it("A3: caps the depth, and says how to see more", async () => {
    expect(await refused("/v1/products?page=101&per_page=100")).toEqual(["page"]);
    const { status } = await apiWithoutDb().get("/v1/products?page=100&per_page=100");
    expect(status).not.toBe(400);
  });

  it("A4: refuses what is too much before it costs anything", async () => {
    const { get, request } = apiWithoutDb(() => Promise.reject(new Error("must not be asked")));
    const many = (n: number, text: string) => Array.from({ length: n }, () => text);
    const asking = (filter: unknown) =>
      request("/meili/indexes/products/search", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ q: "", filter }),
      });
    const startedMs = performance.now();
    for (const query of [
      `q=${"a".repeat(1_000_000)}`,
      many(20_000, "shop_id=a").join("&"),
      many(51, "category=a").join("&"),
      `facets=${many(1000, "category").join(",")}`,
      "facets=title",
    ]) {
      expect([query.slice(0, 20), (await get(`/v1/products?${query}`)).status]).toEqual([
        query.slice(0, 20),
        400,
      ]);
    }
    for (const filter of [
      many(20_000, "price = 1"),
      many(20_000, "price = 1").join(" OR "),
      "(".repeat(20_000),
      `shop_id = "${"a".repeat(300_000)}"`,
    ]) {
      expect([400, 413]).toContain((await asking(filter)).status);
    }
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

  it.each([
    ["/v1/products?price_min=2&price_max=1&page=0&x=1", ["page", "price_min", "x"]],
    ["/v1/products?price_min=2&price_max=x&page=5000", ["page", "price_max"]],
    ["/v1/facets/category?price_min=2&price_max=1&x=1", ["price_min", "x"]],
    ["/v1/price-drops?page=1000&min_percent=x", ["min_percent", "page"]],
    ["/v1/shops?page=50000&x=1", ["page", "x"]],
    ["/v1/categories?page=501&x=1", ["page", "x"]],
    ["/v1/products/1/history?since=2026-02-01&until=2026-01-01&limit=0", ["limit", "since"]],
  ])("A1: names what parameters are together besides other faults: %s", async (path, named) => {
    expect(await refused(path)).toEqual(named);
  });

  it("names faults of address and query together", async () => {
    expect(await refused("/v1/webhooks/0/deliveries?limit=0")).toEqual(["limit", "webhook_id"]);
    expect(await refused("/v1/saved-searches/0?x=1")).toEqual(["saved_search_id", "x"]);
    expect(await refused("/v1/products/0/history?since=yesterday&x=1")).toEqual([
      "item_id",
      "since",
      "x",
    ]);
  });

  it.each(["%00", "%ff", "%ed%a0%80", "%c0%af", "%"])(
    "A5: refuses %s in an address",
    async (bad) => {
      for (const path of [`/v1/products?q=${bad}`, `/v1/shops/${bad}`]) {
        const response = await apiWithoutDb().get(path);
        expect([path, response.status]).toEqual([path, 400]);
        await problemOf(response);
      }
    },
  );

  it("A1, A5: never answers a 500, whatever the parameters", async () => {
    const names = ["q", "shop_id", "gtin", "price_min", "sort", "page", "per_page", "facets", "x"];
    const text = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      fc.constantFrom("1", "-1", "NaN", "true", "price:asc", "4901234567894", "in_stock", ""),
    );
    const parameters = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 6 });
    const { get } = apiWithoutDb(() => Promise.reject(new EngineUnavailable("away")));
    await fc.assert(
      fc.asyncProperty(parameters, async (pairs) => {
        const { status } = await get(`/v1/products?${new URLSearchParams(pairs).toString()}`);
        // 503: the parameters were good, and the engine of this test is away.
        expect([400, 503]).toContain(status);
      }),
      { numRuns: 100 },
    );
  });
});

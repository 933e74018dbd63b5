import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { absentDb, createTestApi } from "../../test/support/api.ts";
import { EngineUnavailable } from "../search/engine.ts";
import type { ProductHits, ProductQuery } from "../search/query.ts";

const noHits: ProductHits = {
  ids: [],
  found: 0,
  foundExact: true,
  titles: new Map(),
  facets: {},
  facetsExact: {},
  groups: new Map(),
  engine: "meilisearch",
  degraded: false,
  indexUid: "products_1",
  warnings: [],
};

/** Without a database: what is answered before one is needed. */
function api(search: (query: ProductQuery) => Promise<ProductHits> = async () => noHits) {
  return createTestApi(absentDb(), { search });
}

interface ProblemBody {
  code: string;
  request_id: string;
  errors: { parameter: string; message: string }[];
}

async function problemOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get("Content-Type")).toBe("application/problem+json; charset=utf-8");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return response.json() as Promise<ProblemBody>;
}

async function refused(path: string): Promise<string[]> {
  const response = await api().get(path);
  expect(response.status).toBe(400);
  return (await problemOf(response)).errors.map(({ parameter }) => parameter).toSorted();
}

describe("parameters", () => {
  it("A1: names every bad parameter at once", async () => {
    expect(
      await refused(
        "/v1/products?per_page=0&page=NaN&price_min=-1&in_stock=yes&sort=name&limit=3&q=a&q=b&facets=colour",
      ),
    ).toEqual(["facets", "in_stock", "limit", "page", "per_page", "price_min", "q", "sort"]);
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
    `shop_id=${"a".repeat(201)}`,
    Array.from({ length: 51 }, (_, i) => `shop_id=${i}`).join("&"),
  ])("A1: refuses ?%s", async (query) => {
    expect(await refused(`/v1/products?${query}`)).toHaveLength(1);
  });

  it("says what would be right", async () => {
    const response = await api().get("/v1/products?sort=cheap&colour=red");
    const { errors } = await problemOf(response);
    expect(errors).toEqual([
      {
        parameter: "sort",
        message:
          "must be one of: relevance, price:asc, price:desc, modified:desc, discount:desc, popularity:desc",
      },
      { parameter: "colour", message: expect.stringMatching(/known are: q, shop_id, .*facets/) },
    ]);
  });

  it("A3: caps the depth, and says how to see more", async () => {
    expect(await refused("/v1/products?page=101&per_page=100")).toEqual(["page"]);
    const { status } = await api().get("/v1/products?page=100&per_page=100");
    expect(status).not.toBe(400);
  });

  it("A4: refuses what is too much before it costs anything", async () => {
    const { get, request } = api(() => Promise.reject(new Error("must not be asked")));
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

  it("names faults of address and query together", async () => {
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
        const response = await api().get(path);
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
    const { get } = api(() => Promise.reject(new EngineUnavailable("away")));
    await fc.assert(
      fc.asyncProperty(parameters, async (pairs) => {
        const { status } = await get(`/v1/products?${new URLSearchParams(pairs).toString()}`);
        // 503: the parameters were good, and the engine of this test is away.
        expect([400, 503]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});

describe("answers", () => {
  it("W4: carries security headers and a request id on every answer", async () => {
    for (const path of [
      "/healthz",
      "/nowhere",
      "/v1/products?x=1",
      "/ops/v1/budget",
      "/v1/status",
    ]) {
      const { headers } = await api().get(path);
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
    }
  });

  it("takes over a harmless request id and no other", async () => {
    const idFor = async (given: string) =>
      (await api().get("/healthz", { "X-Request-Id": given })).headers.get("X-Request-Id");
    expect(await idFor("trace-42")).toBe("trace-42");
    expect(await idFor('a" onload="')).not.toContain("onload");
    expect(await idFor("x".repeat(65))).toHaveLength(36);
    const response = await api().get("/nowhere", { "X-Request-Id": "trace-42" });
    expect((await problemOf(response)).request_id).toBe("trace-42");
  });

  it("A10: lets any site read the public API and none ops", async () => {
    const origin = { Origin: "https://evil.example" };
    expect(
      (await api().get("/v1/products", origin)).headers.get("Access-Control-Allow-Origin"),
    ).toBe("*");
    const preflight = await api().request("/v1/products", { method: "OPTIONS", headers: origin });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD");
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const { status, headers } = await api().request("/ops/v1/budget", {
        method,
        headers: origin,
      });
      expect(status).toBe(401);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("tells an unknown address from a wrong method", async () => {
    expect((await api().get("/v2/products")).status).toBe(404);
    const response = await api().request("/v1/products/1", { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("HEAD, GET");
  });

  it("A7: does not read a body that a GET brings", async () => {
    const response = await api().get("/v1/products", { "Content-Length": "5" });
    expect(response.status).toBe(413);
  });
});

describe("failures", () => {
  it("A12: says nothing of the inside when something unforeseen happens", async () => {
    const secret = "postgres://user:hunter2@db/kurabe select price from product";
    const response = await api(() => Promise.reject(new Error(secret))).get("/v1/products");
    expect(response.status).toBe(500);
    const body = await response.text();
    for (const word of ["hunter2", "postgres", "select", "Error:", ".ts"]) {
      expect(body).not.toContain(word);
    }
  });

  it("M1: answers 503 with Retry-After while the search engine is away", async () => {
    const response = await api(() => Promise.reject(new EngineUnavailable("no_answer"))).get(
      "/v1/products",
    );
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect((await problemOf(response)).code).toBe("search_unavailable");
  });

  it("D1: answers 503 with Retry-After at once while the database is away", async () => {
    const { get } = api();
    for (let i = 0; i < 20; i += 1) {
      const startedMs = performance.now();
      const response = await get("/v1/products/1");
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("5");
      expect((await problemOf(response)).code).toBe("database_unavailable");
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    }
    expect((await get("/readyz")).status).toBe(503);
    expect((await get("/healthz")).status).toBe(200);
  });

  it("still serves metrics while the database is away", async () => {
    const response = await api().get("/metrics");
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain("kurabe_database_up 0");
    expect(text).not.toMatch(/^kurabe_products/m);
  });
});

describe("ops without the token", () => {
  it("O1, O2: answers the same whatever is wrong with it, known address or not", async () => {
    const attempts: [string, Record<string, string>][] = [
      ["/ops/v1/budget", {}],
      ["/ops/v1/budget", { Authorization: "Bearer wrong" }],
      ["/ops/v1/budget", { Authorization: "Basic b3BzOm9wcw==" }],
      ["/ops/v1/budget", { Authorization: "Bearer " }],
      ["/ops/v1/nothing-here", { Authorization: "Bearer wrong" }],
    ];
    const bodies = new Set<string>();
    for (const [path, headers] of attempts) {
      const response = await api().get(path, { ...headers, "X-Request-Id": "same" });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe('Bearer realm="ops"');
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
  });
});

describe("description", () => {
  it("describes every route as OpenAPI 3.1, with stable schema names", async () => {
    const response = await api().get("/openapi.json");
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, Record<string, { responses: object; security?: object }>>;
      components: { schemas: Record<string, object> };
    };
    expect(document.openapi).toBe("3.1.0");
    expect(
      Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method} ${path}`),
      ),
    ).toMatchSnapshot();
    expect(Object.keys(document.components.schemas).toSorted()).toMatchSnapshot();
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const operation of Object.values(operations)) {
        expect(operation.security !== undefined).toBe(path.startsWith("/ops/"));
      }
    }
  });

  it("A11: answers 304 to whoever has the same already", async () => {
    const { get } = api();
    const first = await get("/openapi.json");
    const etag = first.headers.get("ETag") ?? "";
    const second = await get("/openapi.json", { "If-None-Match": `"other", ${etag}` });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("Vary")).toBe("Accept-Encoding");
  });

  it("serves the pages that browse it from this process alone", async () => {
    const page = await api().get("/docs");
    const html = await page.text();
    expect(html).not.toMatch(/https?:/);
    for (const [, path = ""] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const asset = await api().get(path, { "Accept-Encoding": "gzip" });
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    }
  });
});

import { describe, expect, it } from "vitest";
import { absentDb, apiWithoutDb, authorised, createTestApi } from "../support/api.ts";
import { problemOf } from "../support/problem.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";

describe("answers", () => {
  it("W4: carries security headers and a request id on every answer", async () => {
    for (const path of [
      "/healthz",
      "/nowhere",
      "/v1/products?x=1",
      "/ops/v1/budget",
      "/v1/status",
    ]) {
      const { headers } = await apiWithoutDb().get(path);
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
    }
  });

  it("takes over a harmless request id and no other", async () => {
    const idFor = async (given: string) =>
      (await apiWithoutDb().get("/healthz", { "X-Request-Id": given })).headers.get("X-Request-Id");
    expect(await idFor("trace-42")).toBe("trace-42");
    expect(await idFor('a" onload="')).not.toContain("onload");
    expect(await idFor("x".repeat(65))).toHaveLength(36);
    const response = await apiWithoutDb().get("/nowhere", { "X-Request-Id": "trace-42" });
    expect((await problemOf(response)).request_id).toBe("trace-42");
  });

  it("A10: lets any site read the public API and none ops", async () => {
    const origin = { Origin: "https://evil.example" };
    expect(
      (await apiWithoutDb().get("/v1/products", origin)).headers.get("Access-Control-Allow-Origin"),
    ).toBe("*");
    const preflight = await apiWithoutDb().request("/v1/products", {
      method: "OPTIONS",
      headers: origin,
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD");
    expect(preflight.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    expect(preflight.headers.get("Vary")).toBe("Accept-Encoding");
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const { status, headers } = await apiWithoutDb().request("/ops/v1/budget", {
        method,
        headers: origin,
      });
      expect(status).toBe(401);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it.each([
    ["POST", "/v1/products/lookup", "POST"],
    ["POST", "/v1/products/7/refresh", "POST"],
    ["POST", "/meili/multi-search", "POST"],
    ["POST", "/meili/indexes/products/search", "GET, HEAD, POST"],
    ["POST", "/meili/indexes/products/facet-search", "POST"],
    ["GET", "/v1/offers/4901234567894", "GET, HEAD"],
    ["GET", "/openapi.json", "GET, HEAD"],
  ])("A10: pages of any site may %s %s", async (method, path, methods) => {
    const { request } = apiWithoutDb();
    const preflight = await request(path, {
      method: "OPTIONS",
      headers: {
        Origin: "https://site.example",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type,x-api-key",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe(methods);
    expect(preflight.headers.get("Access-Control-Max-Age")).toBe("86400");
    const allowed = preflight.headers.get("Access-Control-Allow-Headers")?.split(", ");
    for (const name of ["Authorization", "Content-Type", "Last-Event-ID", "Range", "X-Api-Key"]) {
      expect(allowed).toContain(name);
    }
    // Without a database these fail, and a page may read why, and when to try again.
    const { headers } = await request(path, {
      method,
      headers: { Origin: "https://site.example" },
    });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    const exposed = headers.get("Access-Control-Expose-Headers")?.split(", ");
    for (const name of ["Content-Range", "ETag", "RateLimit", "Retry-After", "X-Request-Id"]) {
      expect(exposed).toContain(name);
    }
  });

  it("A10: pages of other sites may not send the forms of our pages", async () => {
    const { request } = apiWithoutDb();
    const headers = { Origin: "https://site.example", "Access-Control-Request-Method": "POST" };
    const preflight = await request("/products/7/check", { method: "OPTIONS", headers });
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD");
    const sent = await request("/products/7/check", { method: "POST", headers });
    expect([sent.status, sent.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
    const ops = await request("/ops/pause", { method: "OPTIONS", headers });
    expect([...ops.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("tells an unknown address from a wrong method", async () => {
    expect((await apiWithoutDb().get("/v2/products")).status).toBe(404);
    const unknown = await apiWithoutDb().request("/v2/products", { method: "OPTIONS" });
    expect(unknown.headers.get("Allow")).toBeNull();
    const response = await apiWithoutDb().request("/v1/products/1", { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("HEAD, GET");
  });

  it("names what may be given, also for load balancers and in what-if questions", async () => {
    const probe = await apiWithoutDb().get("/readyz?exclude=engine");
    expect((await problemOf(probe)).errors).toEqual([
      { parameter: "exclude", message: "must be one of: database" },
    ]);
    const question = { calls_per_day: 0, target: { weight: 1 }, weights: { "shop-1": 2 } };
    const body = JSON.stringify(question);
    const asked = await apiWithoutDb().request("/ops/v1/plan/what-if", {
      method: "POST",
      headers: { ...authorised, "Content-Type": "application/json" },
      body,
    });
    expect((await problemOf(asked)).errors.map((fault) => Object.values(fault).join(" "))).toEqual([
      "calls_per_day must be a whole number from 1 to 10000000",
      "target.min_weight must be a number from 0 to 1000",
      "target.hours must be a number from 0.01 to 87600",
      "target.weight is not known here; known are: min_weight, hours",
      "weights is not known here; known are: calls_per_day, max_age_days, shop_weights, target",
    ]);
  });

  it("A7: does not read a body that a GET brings", async () => {
    const response = await apiWithoutDb().get("/v1/products", { "Content-Length": "5" });
    expect(response.status).toBe(413);
  });
});

describe("a body", () => {
  const send = (headers: Record<string, string>, body: string) => {
    const size = { "Content-Length": String(Buffer.byteLength(body)) };
    return apiWithoutDb().request("/v1/products/lookup", {
      method: "POST",
      headers: { ...size, ...headers },
      body,
    });
  };

  it.each<[Record<string, string>, number]>([
    [{ "Content-Type": "application/json; charset=iso-8859-1" }, 415],
    [{ "Content-Type": 'application/json;charset="Shift_JIS"' }, 415],
    [{ "Content-Type": "application/json", "Content-Encoding": "gzip" }, 415],
    [{ "Content-Type": "application/json; charset=UTF-8" }, 400],
    [{ "Content-Type": 'application/json; charset="utf-8"' }, 400],
    [{ "Content-Type": "application/json", "Content-Encoding": "identity" }, 400],
  ])("is refused rather than misread: %j", async (headers, status) => {
    const refused = await send(headers, '{"item_ids":"ä"}');
    expect(refused.status).toBe(status);
    await problemOf(refused);
  });

  it('is refused whose bytes are not UTF-8, whatever its headers say: its letters would be stored as "�"', async () => {
    const refused = await apiWithoutDb().request("/v1/products/lookup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      // "財" in Shift_JIS, as some terminals send it.
      body: Buffer.concat([
        Buffer.from('{"item_ids":"'),
        Buffer.from([0x8d, 0xe0]),
        Buffer.from('"}'),
      ]),
    });
    expect(refused.status).toBe(415);
    await problemOf(refused);
  });

  it("that nobody would read is refused by name, and one that says nothing is not", async () => {
    const send = (path: string, body: string, type = "application/json") =>
      apiWithoutDb().request(path, {
        method: "POST",
        headers: { ...(path.startsWith("/ops") ? authorised : {}), "Content-Type": type },
        body,
      });
    for (const path of ["/ops/v1/pause", "/ops/v1/jobs/feed/run", "/v1/products/7/refresh"]) {
      const refused = await send(path, '{"reason":"lunch"}');
      const { errors } = await problemOf(refused);
      const message = "is not known here; known are: none";
      expect([path, refused.status, errors]).toEqual([
        path,
        400,
        [{ parameter: "reason", message }],
      ]);
      expect([path, (await send(path, "{")).status]).toEqual([path, 400]);
      expect([path, (await send(path, "a=1", "text/plain")).status]).toEqual([path, 415]);
      for (const nothing of ["", " ", "{}"]) {
        expect([path, nothing, (await send(path, nothing)).status]).toEqual([path, nothing, 503]);
      }
    }
  });

  it("that is empty is in no encoding", async () => {
    const headers = { "Content-Type": "text/plain; charset=iso-8859-1" };
    expect((await apiWithoutDb().get("/healthz", headers)).status).toBe(200);
  });
});

describe("failures", () => {
  it("A12: says nothing of the inside when something unforeseen happens", async () => {
    const secret = "postgres://user:hunter2@db/kurabe select price from product";
    const suggest = () => Promise.reject(new Error(secret));
    const response = await createTestApi(absentDb(), { suggest }).get("/v1/suggest?q=a");
    expect(response.status).toBe(500);
    const body = await response.text();
    for (const word of ["hunter2", "postgres", "select", "Error:", ".ts"]) {
      expect(body).not.toContain(word);
    }
  });

  it("M1: answers 503 with Retry-After while the search engine is away", async () => {
    const suggest = () => Promise.reject(new EngineUnavailable("no_answer"));
    const response = await createTestApi(absentDb(), { suggest }).get("/v1/suggest?q=a");
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect((await problemOf(response)).code).toBe("search_unavailable");
  });

  it("D1: answers 503 with Retry-After at once while the database is away", async () => {
    const { get } = apiWithoutDb();
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
    const response = await apiWithoutDb().get("/metrics");
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
      const response = await apiWithoutDb().get(path, { ...headers, "X-Request-Id": "same" });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe('Bearer realm="ops"');
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
  });
});

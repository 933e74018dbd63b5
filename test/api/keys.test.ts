import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiKeyMode } from "../../src/api/http/deps.ts";
import { createKeyring } from "../../src/keys/keyring.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestClock } from "../support/clock.ts";
import { createKey } from "../support/keys.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { problemOf } from "../support/problem.ts";
import { searchItem } from "../support/products.ts";

const clock = createTestClock("2026-01-15T05:00:10Z");
const modes = ["off", "optional", "required"] as const;
const test = openedForAll(createTestDb);
let keyring: ReturnType<typeof createKeyring>;
beforeAll(async () => {
  keyring = createKeyring({ db: test.db, clock, timezone: "Asia/Tokyo" });
  await storeItems(test.db, "2026-01-15T00:00:00Z", [searchItem(1)]);
});

const apiOf = (apiKeys: ApiKeyMode, rateLimitPerMinute = 0): TestApi =>
  createTestApi(test.db, { clock, apiKeys, rateLimitPerMinute, keys: keyring });
const statusOf = async (response: Promise<Response>) => (await response).status;
const wrong = `kurabe_${"0".repeat(48)}`;

describe("a key of a request", () => {
  it("is 401 in every mode if it is wrong, whatever it looks like", async () => {
    for (const mode of modes) {
      const api = apiOf(mode);
      const attempts: Record<string, string>[] = [
        { "X-Api-Key": wrong },
        { "X-Api-Key": "" },
        { "X-Api-Key": "k".repeat(10_000) },
        { "X-Api-Key": "'; drop table api_key; --" },
        { Authorization: `Bearer ${wrong}` },
        { Authorization: "Bearer" },
        { Authorization: "bearer a-token-of-the-tests-with-more-than-32-characters" },
      ];
      for (const headers of attempts) {
        const response = await api.get("/v1/shops", headers);
        expect([mode, headers, response.status]).toEqual([mode, headers, 401]);
        expect(response.headers.get("WWW-Authenticate")).toBe('Bearer realm="api"');
        expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
        const body = await response.text();
        expect(body).toContain('"code":"invalid_key"');
        for (const text of Object.values(headers)) {
          if (text.length > 10) expect(body).not.toContain(text.slice(-10));
        }
      }
      expect(await statusOf(api.get("/go/1", { "X-Api-Key": wrong }))).toBe(401);
      const post = { method: "POST", body: "{}", headers: { "X-Api-Key": wrong } };
      expect(await statusOf(api.request("/v1/products/lookup", post))).toBe(401);
    }
  });

  it("is told in Meilisearch's shape where InstantSearch sends it", async () => {
    const { key } = await createKey(apiOf("off"), { per_minute: 1 });
    const search = (api: TestApi, headers: Record<string, string>) =>
      api.request("/meili/multi-search", {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: '{"queries":[{"indexUid":"products","x":1}]}',
      });
    const required = apiOf("required");
    const told = async (response: Response) => {
      const { code, type, link } = (await response.json()) as Record<string, string>;
      return [response.status, code, type, link];
    };
    const link = (code: string) => `https://docs.meilisearch.com/errors#${code}`;
    expect(await told(await search(required, {}))).toEqual([
      401,
      "missing_authorization_header",
      "auth",
      link("missing_authorization_header"),
    ]);
    expect(await told(await search(required, { Authorization: `Bearer ${wrong}` }))).toEqual([
      401,
      "invalid_api_key",
      "auth",
      link("invalid_api_key"),
    ]);
    const bearer = { Authorization: `Bearer ${key}` };
    expect((await search(required, bearer)).status).toBe(400);
    const limited = await search(required, bearer);
    expect(limited.headers.get("Retry-After")).toBe("50");
    expect((await told(limited)).slice(0, 2)).toEqual([429, "too_many_search_requests"]);
  });

  it("is not read from the address", async () => {
    const { key } = await createKey(apiOf("off"), {});
    expect(await statusOf(apiOf("required").get(`/v1/shops?api_key=${key}`))).toBe(401);
    expect(await statusOf(apiOf("off").get(`/v1/shops?x_api_key=${key}`))).toBe(400);
  });

  it("is only looked for where the public API is", async () => {
    const api = apiOf("required");
    const headers = { "X-Api-Key": wrong, Authorization: `Bearer ${wrong}` };
    const open = ["/", "/products/1", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"];
    const html = await (await api.get("/")).text();
    const asset = /\/assets\/[^"]+\.css/.exec(html)?.[0] ?? "a style sheet";
    for (const path of [...open, "/suggest?q=a", asset]) {
      expect([path, await statusOf(api.get(path, headers))]).toEqual([path, 200]);
      expect([path, await statusOf(api.get(path))]).toEqual([path, 200]);
    }
    const { headers: told } = await api.get("/suggest?q=a", { Origin: "https://shop.example" });
    expect(told.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it("may be another scheme's, which is no key", async () => {
    const basic = { Authorization: "Basic b3BzOm9wcw==" };
    expect(await statusOf(apiOf("off").get("/v1/shops", basic))).toBe(200);
    const response = await apiOf("required").get("/v1/shops", basic);
    expect((await problemOf(response)).code).toBe("missing_key");
  });
});

describe("the address's limit", () => {
  it("is lifted by a key unless keys are off", async () => {
    const { key } = await createKey(apiOf("off"), {});
    for (const [mode, status] of [
      ["off", 429],
      ["optional", 200],
      ["required", 200],
    ] as const) {
      const api = apiOf(mode, 2);
      const ask = () => statusOf(api.get("/v1/shops", { "X-Api-Key": key }));
      await ask();
      await ask();
      expect([mode, await ask()]).toEqual([mode, status]);
    }
  });

  it("holds for who guesses keys", async () => {
    const api = apiOf("optional", 2);
    const guess = () => statusOf(api.get("/v1/shops", { "X-Api-Key": wrong }));
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
  });

  it("is told in headers", async () => {
    const api = apiOf("optional", 60);
    const { headers } = await api.get("/v1/shops");
    expect(headers.get("RateLimit-Policy")).toBe('"address";q=60;w=60');
    expect(headers.get("RateLimit")).toBe('"address";r=59;t=1');
    expect(headers.get("RateLimit-Remaining")).toBe("59");
  });
});

describe("the key's limits", () => {
  it("are told in headers, and a refusal says when to come again", async () => {
    const api = apiOf("off");
    const { key } = await createKey(api, { per_minute: 2, per_day: 1000 });
    const ask = () => api.get("/v1/shops", { Authorization: `Bearer ${key}` });
    const first = await ask();
    const told = (response: Response) =>
      ["Policy", "Limit", "Remaining", "Reset"].map((name) =>
        response.headers.get(`RateLimit-${name}`),
      );
    expect(told(first)).toEqual(['"minute";q=2;w=60, "day";q=1000;w=86400', "2", "1", "50"]);
    expect(first.headers.get("RateLimit")).toBe('"minute";r=1;t=50, "day";r=999;t=35990');
    expect(first.headers.get("Access-Control-Expose-Headers")).toContain("RateLimit-Remaining");
    expect((await ask()).headers.get("RateLimit-Remaining")).toBe("0");
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("50");
    expect(refused.headers.get("RateLimit")).toBe('"minute";r=0;t=50, "day";r=998;t=35990');
    expect((await problemOf(refused)).code).toBe("too_many_requests");
    await clock.advance(50_000);
    expect((await ask()).status).toBe(200);
  });

  it("count answers that the reader had already, which no shared cache may keep", async () => {
    const api = apiOf("off");
    const { key } = await createKey(api, { per_minute: 3 });
    const ask = (more = {}) => api.get("/v1/shops", { "X-Api-Key": key, ...more });
    const first = await ask();
    expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(first.headers.get("Vary")).toBe("Accept-Encoding, Authorization, Origin, X-Api-Key");
    const known = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect([(await ask(known)).status, (await ask(known)).status]).toEqual([304, 304]);
    expect((await ask(known)).status).toBe(429);
    const keyless = await api.get("/v1/shops");
    expect(keyless.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(keyless.headers.get("Vary")).toBe("Accept-Encoding, Authorization, Origin, X-Api-Key");
  });
});

describe("a key for origins", () => {
  it("works on pages of these origins alone, whose refused requests are not counted against it", async () => {
    const api = apiOf("off");
    const origins = ["https://shop.example"];
    const { key } = await createKey(api, { origins, per_minute: 4 });
    const ask = (headers: Record<string, string>) =>
      statusOf(api.get("/v1/shops", { "X-Api-Key": key, ...headers }));
    for (const [headers, status] of [
      [{ Origin: "https://shop.example" }, 200],
      [{ Referer: "https://shop.example/list?page=2" }, 200],
      [{ Origin: "https://evil.example" }, 403],
      [{ Origin: "null" }, 403],
      [{ Origin: "https://shop.example.evil.example" }, 403],
      [{ Origin: "http://shop.example" }, 403],
      [{ Origin: "https://evil.example", Referer: "https://shop.example/" }, 403],
      [{ Referer: "shop.example" }, 403],
      [{}, 403],
      [{ Origin: "https://shop.example" }, 200],
      [{ Origin: "https://shop.example" }, 200],
      [{ Origin: "https://shop.example" }, 429],
    ] as const) {
      expect([headers, await ask(headers)]).toEqual([headers, status]);
    }
  });

  it("owns no saved searches, events and webhooks, because every visitor has it", async () => {
    const api = apiOf("off");
    const { key } = await createKey(api, { origins: ["https://shop.example"] });
    const headers = { "X-Api-Key": key, Origin: "https://shop.example" };
    for (const [method, path] of [
      ["GET", "/v1/saved-searches"],
      ["DELETE", "/v1/saved-searches/1"],
      ["POST", "/v1/saved-searches/1/feeds"],
      ["GET", "/v1/events"],
      ["GET", "/v1/events/stream"],
      ["GET", "/v1/webhooks"],
    ] as const) {
      const refused = await api.request(path, { method, headers });
      expect([path, refused.status]).toEqual([path, 403]);
      expect((await problemOf(refused)).code).toBe("key_for_pages");
    }
  });

  it("may be asked about by every page, because a preflight has no key", async () => {
    const response = await apiOf("required").request("/v1/products", {
      method: "OPTIONS",
      headers: { Origin: "https://shop.example", "Access-Control-Request-Headers": "x-api-key" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Headers")).toContain("X-Api-Key");
  });
});

describe("use", () => {
  it("is listed by key and day, for analysts too, and counted in metrics", async () => {
    const api = apiOf("optional");
    const { key, key_id: id } = await createKey(api, { per_day: 3, name: "counted" });
    const ask = (path: string) => api.get(path, { "X-Api-Key": key });
    await ask("/v1/shops");
    await ask("/v1/shops?nothing=1");
    await ask("/v1/products/99");
    await ask("/v1/shops");
    await keyring.flush();
    const use = { day: "2026-01-15", requests: 3, errors: 2, limited: 1, other_origin: 0 };
    const list = (await (await api.ops("GET", "/ops/v1/keys")).json()) as {
      items: { key_id: number }[];
      without_key: { requests: number }[];
    };
    expect(list.items.find(({ key_id: one }) => one === id)).toMatchObject({
      last_used_day: "2026-01-15",
      use: [use],
    });
    expect(list.without_key[0]?.requests).toBeGreaterThan(0);
    const rows = await test.db.execute(sql`
      select day::text, name, requests, errors, limited, other_origin from analytics.api_usage
      where key_id = ${id}`);
    expect(rows).toEqual([{ ...use, name: "counted" }]);
    const metrics = await (await api.get("/metrics")).text();
    expect(metrics).toContain(`kurabe_api_requests_total{key_id="${id}",outcome="ok"} 1`);
    expect(metrics).toContain(`kurabe_api_requests_total{key_id="${id}",outcome="error"} 2`);
    expect(metrics).toContain(`kurabe_api_requests_total{key_id="${id}",outcome="limited"} 1`);
    expect(metrics).toMatch(/^kurabe_api_keys_age_seconds \d+/m);
  });
});

it("a key goes on working while the database is away, and a page of Kurabe needs none", async () => {
  const { key } = await createKey(apiOf("required"), {});
  await test.db.execute(sql`alter table api_key rename to away`);
  try {
    expect(await statusOf(apiOf("required").get("/v1/shops", { "X-Api-Key": key }))).toBe(200);
    expect(await statusOf(apiOf("required").get("/v1/shops", { "X-Api-Key": wrong }))).toBe(401);
  } finally {
    await test.db.execute(sql`alter table away rename to api_key`);
  }
});

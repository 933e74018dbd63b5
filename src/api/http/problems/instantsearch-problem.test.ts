import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { absentDb, apiWithoutDb, createTestApi } from "../../../../test/support/api.ts";
import { silentLogger } from "../../../lib/logger.ts";
import type { ApiEnv } from "../deps.ts";
import { createFailureHandler } from "./failures.ts";
import { Problem } from "./problem.ts";

const path = "/meili/indexes/products/search";
const post = (body: string, type = "application/json") => ({
  method: "POST",
  headers: { "Content-Type": type },
  body,
});

const deep = (field: string) => `{"${field}":[[${"[".repeat(50_000)}${"]".repeat(50_000)}]]}`;

/** What a client of Meilisearch reads of a failure. */
async function failureOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body = (await response.json()) as Record<string, unknown>;
  const { code } = body;
  expect(body).toEqual({
    message: expect.stringMatching(/./),
    code: expect.stringMatching(/^[a-z_]+$/),
    type: expect.stringMatching(/^(invalid_request|auth|system|internal)$/),
    link: `https://docs.meilisearch.com/errors#${String(code)}`,
  });
  expect(response.headers.get("Content-Type")).toContain("application/json");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  return { status: response.status, code };
}

describe("failures below /meili", () => {
  it.each([
    ["an unknown address", "/meili/nothing", post("{}"), 404, "not_found"],
    ["an unknown index", "/meili/indexes/films/search", post("{}"), 404, "index_not_found"],
    ["no name of an index", "/meili/indexes/a%20b/search", post("{}"), 400, "invalid_index_uid"],
    ["another method", path, { method: "PUT" }, 405, "method_not_allowed"],
    ["no JSON", path, post("{"), 400, "malformed_payload"],
    ["half a character", path, post('{"q":"\\ud800"}'), 400, "malformed_payload"],
    ["no body", path, post(""), 400, "missing_payload"],
    ["an unknown member", path, post('{"x":1}'), 400, "bad_request"],
    ["another value", path, post('{"limit":"x"}'), 400, "invalid_search_limit"],
    ["lists too deep", path, post(deep("filter")), 400, "invalid_search_filter"],
    ["lists too deep", path, post(deep("facets")), 400, "invalid_search_facets"],
    ["an unreadable address", "/meili/%ff", post("{}"), 400, "bad_request"],
    ["a body that is too large", path, post(`"${"a".repeat(300_000)}"`), 413, "payload_too_large"],
    ["another type of body", path, post("q=a", "text/plain"), 415, "invalid_content_type"],
    ["an engine that is away", path, post('{"q":"a"}'), 503, "internal"],
  ])("B33: %s is told in Meilisearch's shape", async (_, address, init, status, code) => {
    const response = await apiWithoutDb().request(address, init);
    expect(await failureOf(response)).toEqual({ status, code });
    if (status === 503) expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    if (status === 405) expect(response.headers.get("Allow")).toBe("HEAD, GET, POST");
  });

  it("B33: so is the limit of requests, and a start that is not over", async () => {
    const limited = createTestApi(absentDb(), { rateLimitPerMinute: 1 });
    await limited.request(path, post("{}"));
    const refused = await limited.request(path, post("{}"));
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await failureOf(refused)).toEqual({ status: 429, code: "too_many_search_requests" });
    const starting = createTestApi(absentDb(), { isReady: () => false });
    const early = await starting.request(path, post("{}"));
    expect(await failureOf(early)).toEqual({ status: 503, code: "internal" });
  });

  it("answers Meilisearch's question for its health", async () => {
    const answer = await apiWithoutDb().get("/meili/health");
    expect([answer.status, await answer.json()]).toEqual([200, { status: "available" }]);
  });

  it.each([
    ["no key", 401, "missing_key", "missing_authorization_header", "auth"],
    ["a wrong key", 401, "invalid_key", "invalid_api_key", "auth"],
    ["a key for another site", 403, "origin_not_allowed", "invalid_api_key", "auth"],
    ["too many requests", 429, "too_many_requests", "too_many_search_requests", "system"],
  ] as const)("%s is told with Meilisearch's code (%i)", async (_, status, own, code, type) => {
    const app = new Hono<ApiEnv>();
    app.onError(createFailureHandler(silentLogger));
    app.use(() => {
      throw new Problem({ status, code: own, detail: "why", headers: { "Retry-After": "7" } });
    });
    const answer = await app.request(path, post("{}"));
    expect([answer.status, await answer.json()]).toMatchObject([status, { code, type }]);
    expect(answer.headers.get("Retry-After")).toBe("7");
  });
});

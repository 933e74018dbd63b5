import { describe, expect, it } from "vitest";
import { absentDb, apiWithoutDb, createTestApi } from "../../../test/support/api.ts";

const path = "/meili/indexes/products/search";
const post = (body: string, type = "application/json") => ({
  method: "POST",
  headers: { "Content-Type": type },
  body,
});

/** What a client of Meilisearch reads of a failure. */
async function failureOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body = (await response.json()) as Record<string, unknown>;
  const { code } = body;
  expect(body).toEqual({
    message: expect.stringMatching(/./),
    code: expect.stringMatching(/^[a-z_]+$/),
    type: response.status >= 500 ? "internal" : "invalid_request",
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
    ["another method", path, { method: "GET" }, 405, "method_not_allowed"],
    ["no JSON", path, post("{"), 400, "malformed_payload"],
    ["an unknown member", path, post('{"x":1}'), 400, "bad_request"],
    ["an unreadable address", "/meili/%ff", post("{}"), 400, "malformed_url"],
    ["a body that is too large", path, post(`"${"a".repeat(300_000)}"`), 413, "payload_too_large"],
    ["another type of body", path, post("q=a", "text/plain"), 415, "invalid_content_type"],
    ["an engine that is away", path, post('{"q":"a"}'), 503, "unavailable"],
  ])("B33: %s is told in Meilisearch's shape", async (_, address, init, status, code) => {
    const response = await apiWithoutDb().request(address, init);
    expect(await failureOf(response)).toEqual({ status, code });
    if (status === 503) expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    if (status === 405) expect(response.headers.get("Allow")).toBe("POST");
  });

  it("B33: so is the limit of requests, and a start that is not over", async () => {
    const limited = createTestApi(absentDb(), { rateLimitPerMinute: 1 });
    await limited.request(path, post("{}"));
    const refused = await limited.request(path, post("{}"));
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await failureOf(refused)).toEqual({ status: 429, code: "too_many_search_requests" });
    const starting = createTestApi(absentDb(), { isReady: () => false });
    const early = await starting.request(path, post("{}"));
    expect(await failureOf(early)).toEqual({ status: 503, code: "not_ready" });
  });
});

import { expect, it } from "vitest";
import { createClient, KurabeProblem, orThrow, type ClientOptions } from "./client.ts";

const refusal = (status: number, headers: Record<string, string> = {}, body: object = {}) =>
  Response.json({ code: "too_many_requests", ...body }, { status, headers });
const found = (page: number, over: object = {}) =>
  Response.json({ found: 250, partially_found: 0, page, per_page: 100, items: [], ...over });

/** A client whose requests get these answers, and what it sent and waited. */
function clientOf(answers: Response[], over: Partial<ClientOptions> = {}) {
  const sent: string[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: "http://kurabe.test/",
    fetch: async (request) => {
      request.signal.throwIfAborted();
      sent.push([request.method, request.url.slice(18), await request.text()].join(" ").trim());
      return answers.shift() ?? found(1);
    },
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
    },
    ...over,
  });
  return { client, sent, waits };
}

it("sends a search again after the time that Retry-After says", async () => {
  const { client, sent, waits } = clientOf([
    refusal(429, { "Retry-After": "2" }),
    refusal(503),
    refusal(503, { "Retry-After": "0" }),
  ]);
  const page = await orThrow(client.GET("/v1/products", { params: { query: { q: "革" } } }));
  expect(page.found).toBe(250);
  expect(sent).toEqual(Array(4).fill("GET /v1/products?q=%E9%9D%A9"));
  expect(waits).toEqual([2000, 1000, 0]);
});

it("reads a Retry-After that is a date", async () => {
  const past = new Date(0).toUTCString();
  const { client, waits } = clientOf([refusal(503, { "Retry-After": past })]);
  await client.GET("/v1/status");
  expect(waits).toEqual([0]);
});

it("sends no more often than allowed, and does not wait longer than allowed", async () => {
  const always = () => Array.from({ length: 9 }, () => refusal(503, { "Retry-After": "31" }));
  const impatient = clientOf(always());
  expect((await impatient.client.GET("/v1/status")).response.status).toBe(503);
  expect(impatient.sent).toHaveLength(1);
  const patient = clientOf(always(), { retries: 2, maxWaitMs: 31_000 });
  await expect(orThrow(patient.client.GET("/v1/status"))).rejects.toThrow(KurabeProblem);
  expect(patient.sent).toHaveLength(3);
});

it("sends a body again for posts that are safe to repeat, and no other post", async () => {
  const wait = { "Retry-After": "0" };
  const safe = clientOf([refusal(503, wait)]);
  await safe.client.POST("/v1/products/lookup", { body: { item_ids: [7] } });
  expect(safe.sent).toEqual(Array(2).fill('POST /v1/products/lookup {"item_ids":[7]}'));
  const other = clientOf([refusal(503, wait)]);
  await other.client.POST("/ops/v1/queries", { body: { q: "革" } });
  expect(other.sent).toHaveLength(1);
});

it("throws the members of a problem document, whatever else the answer is", async () => {
  const errors = [{ parameter: "page", message: "must be a whole number" }];
  const body = { code: "invalid_parameters", detail: "no", request_id: "r1", errors };
  const thrown = await orThrow(clientOf([refusal(400, {}, body)]).client.GET("/v1/shops")).catch(
    (error: unknown) => error,
  );
  expect(thrown).toMatchObject({ name: "KurabeProblem", status: 400, ...body });
  const page = new Response("<h1>Bad Gateway</h1>", { status: 502 });
  const other = await orThrow(clientOf([page]).client.GET("/v1/shops")).catch((e: unknown) => e);
  expect(other).toMatchObject({ code: "http_502", errors: [], request_id: null });
});

it("shows the key and other headers with every request", async () => {
  const seen: unknown[] = [];
  const client = createClient({
    baseUrl: "http://kurabe.test",
    apiKey: "kurabe_1",
    headers: { Authorization: "Bearer 2" },
    fetch: async ({ headers }) => {
      seen.push([headers.get("X-Api-Key"), headers.get("Authorization")]);
      return found(1);
    },
  });
  await client.GET("/v1/products");
  expect(seen).toEqual([["kurabe_1", "Bearer 2"]]);
});

it("reads all pages of a search, and no page beyond the last one", async () => {
  const { client, sent } = clientOf([found(1), found(2), found(3)]);
  const pages: number[] = [];
  for await (const { page } of client.searchPages({ q: "a" })) pages.push(page);
  expect(pages).toEqual([1, 2, 3]);
  expect(sent.at(-1)).toBe("GET /v1/products?q=a&page=3&per_page=100");
  const partial = clientOf([1, 2, 3].map((page) => found(page, { found: 5, partially_found: 9 })));
  for await (const { page } of partial.client.searchPages({ per_page: 5 })) pages.push(page);
  expect(pages.splice(3)).toEqual([1, 2, 3]);
  const deep = clientOf([found(99, { found: 1e6 }), found(100, { found: 1e6 })]);
  for await (const { page } of deep.client.searchPages({ page: 99 })) pages.push(page);
  expect(pages).toEqual([1, 2, 3, 99, 100]);
});

it("reads changes from a cursor until there are none, or goes on", async () => {
  const changes = (cursor: string, count = 1, poll_after_s = count > 0 ? 0 : 5) => {
    const change = { cursor, item_id: 1, kind: "changed", product: null };
    const items = Array.from({ length: count }, () => change);
    return Response.json({ items, next: cursor, poll_after_s });
  };
  // A page of products that were all deleted is empty, and not the last one.
  const once = clientOf([changes("b"), changes("c", 0, 0), changes("d"), changes("d", 0)]);
  const read: string[] = [];
  for await (const { next } of once.client.changes({ after: "a", limit: 5 })) read.push(next);
  expect(read).toEqual(["b", "d"]);
  expect(once.sent).toEqual(
    ["a", "b", "c", "d"].map((at) => `GET /v1/changes?after=${at}&limit=5`),
  );
  const follower = clientOf([changes("b"), changes("b", 0), changes("c")]);
  for await (const { next } of follower.client.changes({ pollMs: 700 })) if (next === "c") break;
  expect(follower.sent).toEqual([
    "GET /v1/changes",
    "GET /v1/changes?after=b",
    "GET /v1/changes?after=b",
  ]);
  expect(follower.waits).toEqual([700]);
});

it("stops waiting and reading as soon as the signal is aborted", async () => {
  const stop = new AbortController();
  const waiting = createClient({
    baseUrl: "http://kurabe.test",
    fetch: async () => {
      queueMicrotask(() => stop.abort(new Error("enough")));
      return refusal(503, { "Retry-After": "20" });
    },
  });
  await expect(waiting.GET("/v1/status", { signal: stop.signal })).rejects.toThrow("enough");
  const reading = clientOf([found(1)]).client.searchPages({}, { signal: stop.signal });
  await expect(reading.next()).rejects.toThrow("enough");
});

import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { Engine } from "../../src/search/engine/engine.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestClock } from "../support/clock.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";

const test = openedForAll(createTestMirror);
let api: TestApi;
/** Searches that wait in the engine until they are let go. */
let held: (() => void)[] = [];

beforeAll(async () => {
  // 60 kB each: 200 of them are more than an answer may have.
  const items = Array.from({ length: 200 }, (_, i) =>
    searchItem(i + 1, { detail: "牛革".repeat(10_000) }),
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
  const engine: Engine = {
    ...test.engine,
    async multiSearch(queries) {
      if (queries.length > 5) await new Promise<void>((resolve) => held.push(resolve));
      return test.engine.multiSearch(queries);
    },
  };
  api = createTestApi(test.db, {
    ...createSearch({ ...test, engine, searchDb: test.db, clock: systemClock }),
    // Stands still: whoever waits for a turn is not turned away by the time the test takes.
    clock: createTestClock(),
  });
});

function multi(queries: object[], headers: Record<string, string> = {}): Promise<Response> {
  return api.post(
    "/meili/multi-search",
    { queries: queries.map((query) => ({ indexUid: "products", ...query })) },
    headers,
  );
}
const times = (n: number, query: object) => Array.from({ length: n }, () => query);
const conditions = (n: number) => Array.from({ length: n }, (_, i) => `price = ${i}`).join(" OR ");

describe("the work of one request", () => {
  it.each([
    ["hits", times(6, { limit: 200, q: "財布", attributesToHighlight: ["*"] }), 1000, "limit"],
    ["hits", times(11, { hitsPerPage: 100 }), 1000, "limit"],
    ["hits to be ranked", times(3, { offset: 9900, limit: 100 }), 20_000, "offset"],
    ["filter conditions", times(3, { filter: conditions(190), limit: 1 }), 500, "filter"],
    [
      "filter conditions",
      [{ filter: Array.from({ length: 150 }, () => times(4, {}).map(() => "price = 1")) }],
      500,
      "filter",
    ],
    ["facets", times(10, { facets: ["*"], limit: 1 }), 60, "facets"],
  ])("B21: more %s than allowed is 400, naming the bound", async (what, queries, most, field) => {
    const answer = await multi(queries);
    expect(answer.status).toBe(400);
    const { message, code, type } = (await answer.json()) as Record<string, string>;
    expect([code, type]).toEqual([`invalid_search_${field}`, "invalid_request"]);
    expect(message).toContain(what);
    expect(message).toContain(`at most ${most} are allowed`);
  });

  it("B21: more than 20 queries, and a body beyond its bound, are refused with the bound", async () => {
    const many = await multi(times(21, { limit: 0 }));
    expect([many.status, await many.text()]).toEqual([400, expect.stringContaining("20")]);
    const large = await multi([{ q: "", locales: times(50, {}).map(() => "x".repeat(6000)) }]);
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining("262144")]);
  });

  it("B21: an answer beyond its bound is 400 and names it, and smaller ones are answered", async () => {
    const giant = await multi([{ limit: 100 }, { limit: 100 }]);
    expect([giant.status, await giant.json()]).toMatchObject([
      400,
      { code: "invalid_search_limit", message: expect.stringContaining("8388608") },
    ]);
    const some = await multi([{ limit: 100, attributesToRetrieve: ["id", "title"] }]);
    expect(some.status).toBe(200);
    const { results } = (await some.json()) as { results: { hits: { id: number }[] }[] };
    expect(results[0]?.hits).toHaveLength(100);
    const ids = Array.from({ length: 200 }, (_, i) => i + 1);
    const lookup = await api.post("/v1/products/lookup", { item_ids: ids });
    expect([lookup.status, await lookup.json()]).toMatchObject([
      400,
      { code: "answer_too_large", detail: expect.stringContaining("8388608") },
    ]);
  });

  it("B21: what is compressed is the same", async () => {
    const plain = await multi([{ limit: 3 }]);
    const packed = await multi([{ limit: 3 }], { "Accept-Encoding": "gzip" });
    expect(packed.headers.get("Content-Encoding")).toBe("gzip");
    const hits = (text: string) =>
      (JSON.parse(text) as { results: { hits: object[] }[] }).results[0]?.hits;
    const unpacked = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString();
    expect(hits(unpacked)).toHaveLength(3);
    expect(hits(unpacked)).toMatchObject(
      (hits(await plain.text()) ?? []).map((hit) => ({ ...hit, age_s: expect.anything() })),
    );
  });

  it("B21: expensive requests wait for one another; too many are 503 to their sender, and plain searches go on", async () => {
    held = [];
    const expensive = Array.from({ length: 60 }, (_, i) =>
      multi(times(10, { q: `財布 ${i}`, limit: 1, attributesToRetrieve: ["id"] })),
    );
    const refused = await Promise.any(
      expensive.map(async (sent) => {
        const answer = await sent;
        if (answer.status !== 503) throw new Error("answered");
        return answer;
      }),
    );
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "too_many_search_requests" });
    await until(() => held.length === 1, { what: "the first of them to be in the engine" });
    for (let i = 0; i < 20; i += 1) {
      const plain = await api.get(
        `/v1/products?q=${encodeURIComponent("財布")}&per_page=1&price_max=${5000 + i}`,
      );
      expect(await plain.json()).toMatchObject({
        engine: "meilisearch",
        degraded: false,
        found: 200,
      });
      const instant = await multi([{ q: `革財布 ${i}`, limit: 1 }]);
      expect(instant.status).toBe(200);
    }
    let done = false;
    const all = Promise.all(expensive).finally(() => (done = true));
    await until(
      () => {
        for (const release of held.splice(0)) release();
        return done;
      },
      { what: "all expensive requests to end" },
    );
    const statuses = (await all).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(51);
    expect(statuses.filter((status) => status === 503)).toHaveLength(9);
  });
});

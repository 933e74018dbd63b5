import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineRefused } from "../../src/search/engine/engine.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestMirror);
let api: TestApi;

beforeAll(async () => {
  const items = Array.from({ length: 30 }, (_, i) => searchItem(i + 1));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
  api = createTestApi(test.db, createSearch({ ...test, searchDb: test.db, clock: systemClock }));
});

function post(path: string, body: unknown, at = api): Promise<Response> {
  return at.post(path, body);
}
const multi = (...queries: object[]) =>
  post("/meili/multi-search", {
    queries: queries.map((query) => ({ indexUid: "products", ...query })),
  });

const isLong = inject("long");
let searches = 0;
/** Another one every time, so that the engine is asked and no memory. */
async function engineOf(at = api): Promise<string> {
  searches += 1;
  const answer = await at.get(
    `/v1/products?q=${encodeURIComponent("財布")}&price_max=${searches + 10_000}`,
  );
  const { engine, degraded } = (await answer.json()) as { engine: string; degraded: boolean };
  return degraded ? "degraded" : engine;
}

const half = "\uD800";
const refusals: [string, object][] = [
  ["a cropMarker that is half a character", { cropMarker: half, attributesToCrop: ["*"] }],
  ["a query that is half a character", { q: half }],
  ["a tag that is half a character", { highlightPreTag: half }],
  ["a filter with half a character", { filter: `shop_id = "${half}"` }],
  ["an attribute that is half a character", { attributesToHighlight: [half] }],
  ["a negative crop length", { attributesToCrop: ["title:-5"] }],
  ["a crop length with a fraction", { attributesToCrop: ["title:1.5"] }],
  ["an unknown facet", { facets: ["secret"] }],
  ["an unknown attribute to search on", { attributesToSearchOn: ["secret"] }],
  ["an unknown order", { sort: ["secret:asc"] }],
  ["a filter by an unknown attribute", { filter: "secret = 1" }],
  ["a negative limit", { limit: -1 }],
];

describe("searches that the engine would refuse", () => {
  it.each(refusals)("B20: %s is 400 to its sender alone", async (_, query) => {
    for (let i = 0; i < (isLong ? 12 : 3); i += 1) {
      const answer = await multi({ q: "財布", ...query });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({
        message: expect.any(String),
        code: expect.any(String),
        type: "invalid_request",
        link: expect.any(String),
      });
      expect(await engineOf()).toBe("meilisearch");
    }
  });

  it("B20: whatever is sent, it is answered or refused, and the others are not degraded", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(half, "\uDC00", "\0", "title", "detail", "*", "title:3", "price:asc", "…"),
      fc.string({ maxLength: 3 }).map((inner) => `title:${inner}`),
    );
    const list = fc.array(text, { maxLength: 4 });
    const number = fc.oneof(fc.nat(300), fc.constantFrom(Number.MAX_SAFE_INTEGER, -1, 0.5, 1e300));
    const query = fc.record(
      {
        q: text,
        offset: number,
        limit: number,
        page: number,
        hitsPerPage: number,
        attributesToRetrieve: list,
        attributesToCrop: list,
        cropLength: number,
        cropMarker: text,
        attributesToHighlight: list,
        highlightPreTag: text,
        highlightPostTag: text,
        showMatchesPosition: fc.boolean(),
        showRankingScore: fc.boolean(),
        rankingScoreThreshold: fc.double(),
        filter: fc.oneof(
          text,
          text.map((value) => `shop_id = ${JSON.stringify(value)}`),
          fc.constantFrom("price > 1 OR (NOT in_stock = true AND id IN [1, 2])", "price 1 TO 5000"),
        ),
        sort: list,
        facets: fc.array(fc.constantFrom("shop_id", "price", "*", "category", "no")),
        matchingStrategy: fc.constantFrom("all", "last", "frequency"),
        attributesToSearchOn: fc.array(fc.constantFrom("title", "gtins", "*", "detail")),
        locales: list,
      },
      { requiredKeys: [] },
    );
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(query, async (body) => {
        // Most bodies have several faults: each member by itself as well.
        const members = Object.entries(body).map(([name, value]) => ({ [name]: value }));
        for (const sent of [body, ...members]) {
          const { status } = await post("/meili/indexes/products/search", sent);
          expect([200, 400]).toContain(status);
          if (status === 200) answered += 1;
        }
        expect(await engineOf()).toBe("meilisearch");
      }),
      { numRuns: isLong ? 100 : 8 },
    );
    expect(answered).toBeGreaterThan(isLong ? 150 : 15);
  });

  it("B20: what only the engine can refuse is 400 too, for its sender alone", async () => {
    const engine: typeof test.engine = {
      ...test.engine,
      async search(uid, query) {
        if (query.q === "毒") throw new EngineRefused("malformed_payload", "cannot be read");
        return test.engine.search(uid, query);
      },
    };
    const deps = createSearch({ ...test, engine, searchDb: test.db, clock: systemClock });
    const other = createTestApi(test.db, deps);
    for (let i = 0; i < (isLong ? 30 : 12); i += 1) {
      const meili = await post("/meili/indexes/products/search", { q: "毒", limit: i }, other);
      expect([meili.status, await meili.json()]).toMatchObject([400, { type: "invalid_request" }]);
      const plain = await other.get(`/v1/products?q=${encodeURIComponent("毒")}&price_max=${i}`);
      expect([plain.status, await plain.json()]).toMatchObject([400, { code: "search_refused" }]);
      expect(await engineOf(other)).toBe("meilisearch");
    }
  });
});

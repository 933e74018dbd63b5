import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import type { TestApi } from "../support/api.ts";
import type { TestMirror } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { prepareOracle } from "../support/search-oracle.ts";
import {
  anyQuery,
  differences,
  readVocabulary,
  toPath,
  type Vocabulary,
} from "../support/search-proof.ts";
import { clock, openSeveralHosts, read } from "../support/several-hosts.ts";

const isLong = inject("long");

const several = openedForAll(openSeveralHosts);
let test: TestMirror;
let api: TestApi;
let oneHost: TestApi;
let vocabulary: Vocabulary;

beforeAll(async () => {
  ({ test, api, oneHost } = several);
  await prepareOracle(test.db);
  vocabulary = await readVocabulary(test.db, ["ピアス", "椅子", "万年筆", "紅茶", "マフラー"]);
});

/** An answer without how long it took and how far the index is behind. */
async function whole(response: Response): Promise<unknown> {
  const untimed = ["processingTimeMs", "took_ms", "mirror_lag_s"];
  return JSON.parse(await response.text(), (key, value: unknown) =>
    untimed.includes(key) ? undefined : value,
  );
}

describe("searches over several hosts", () => {
  it("find, order and count what one host does, and what plain SQL does", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(vocabulary, 100_000), async (query) => {
        const path = toPath(query);
        expect(await read(api, path)).toEqual(await read(oneHost, path));
        expect(await differences(test.db, query, clock.now(), await api.get(path))).toEqual([]);
      }),
      { numRuns: isLong ? 500 : 4 },
    );
  });

  it.each([
    ["/v1/suggest?q=ピ"],
    ["/v1/suggest?q=shop"],
    ["/v1/products?q=ピアヌ"],
    ["/v1/products?q=椅子 ピアス"],
    ["/v1/facets/category?q=ア"],
    ["/v1/facets/shop_id?q=s&query=椅子"],
  ])("answer %s as one host does", async (path) => {
    expect(await whole(await api.get(path))).toEqual(await whole(await oneHost.get(path)));
  });

  const products = { indexUid: "products" };
  const federated = [
    { ...products, q: "ピアス" },
    { ...products, q: "椅子", federationOptions: { weight: 0.5 } },
  ];
  it.each([
    [{ queries: [{ ...products, q: "", facets: ["*"], sort: ["price:asc"], limit: 30 }] }],
    [{ queries: [{ ...products, q: "ピアス", hitsPerPage: 3, page: 2, showRankingScore: true }] }],
    [
      {
        queries: [{ ...products, q: "椅子", filter: "price > 1000", attributesToHighlight: ["*"] }],
      },
    ],
    [{ queries: [{ ...products, q: "椅子 ピアス", matchingStrategy: "last", limit: 50 }] }],
    [{ queries: federated, federation: { limit: 15, facetsByIndex: { products: ["category"] } } }],
    [
      {
        queries: federated,
        federation: {
          offset: 3,
          limit: 5,
          facetsByIndex: { products: ["shop_id", "price"] },
          mergeFacets: {},
        },
      },
    ],
  ])("answer InstantSearch's %j as one host does", async (body) => {
    const ask = async (from: TestApi) => whole(await from.post("/meili/multi-search", body));
    expect(await ask(api)).toEqual(await ask(oneHost));
  });

  it("find the values of a facet as one host does, equal counts in any order", async () => {
    const ask = async (from: TestApi) => {
      const response = await from.post("/meili/indexes/products/facet-search", {
        facetName: "categories",
        facetQuery: "",
        q: "",
      });
      const { facetHits } = z
        .object({ facetHits: z.array(z.object({ value: z.string(), count: z.number() })) })
        .parse(await response.json());
      const byValue = facetHits.toSorted(
        (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1),
      );
      return [facetHits.map(({ count }) => count), byValue];
    };
    expect(await ask(api)).toEqual(await ask(oneHost));
  });
});

import { instantMeiliSearch } from "@meilisearch/instant-meilisearch";
import fc from "fast-check";
import { MatchingStrategies } from "meilisearch";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { isRecord } from "../../src/lib/is-record.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { storeGenerated } from "../support/generated.ts";
import { multiSearches } from "../support/meilisearch-multi-searches.ts";
import * as requests from "../support/meilisearch-requests.ts";
import { createTestMirror, drain, setUniquePrices } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { createReferenceIndex } from "../support/reference-index.ts";
import { itLong } from "../support/it-long.ts";

/*
 * The same requests to `/meili` and to Meilisearch itself, over the same products. Answers are equal but
 * for what is stated here:
 * - Times, ages and ranking scores are of one kind only.
 * - Searches with words are ordered by a field, because the ranking rules differ.
 * - Meilisearch cuts a number beside Japanese into digits, and may crop a text between them. Here the number is whole.
 * - Faults whose words differ are compared by status and code: `toldByCode`, and the lists of names.
 * - Meilisearch has no body with 404 of an unknown address and with 405; it accepts unknown fields in a
 *   facet search, and numbers of words in `attributesToCrop` that are none. Here these are refused.
 */
const toldByCode = new Set([
  "malformed_payload",
  "invalid_search_filter",
  "invalid_search_attributes_to_search_on",
  "invalid_facet_search_facet_name",
  "feature_not_enabled",
  "index_not_found",
  "invalid_multi_search_query_ranking_rules",
  "invalid_multi_search_facets_by_index",
]);
const ofOneKind = new Set([
  "processingTimeMs",
  "age_s",
  "_rankingScore",
  "_rankingScoreDetails",
  "weightedRankingScore",
]);

interface Answered {
  status: number;
  body: unknown;
}

const test = openedForAll(createTestMirror);
let api: TestApi;
let reference: string;

beforeAll(async () => {
  await storeGenerated(test.db, "2026-01-01T00:00:00Z", 120);
  await setUniquePrices(test.db);
  await drain(test.db, test.start(), test.indexPrefix);
  api = createTestApi(test.db, createSearch({ ...test, searchDb: test.db, clock: systemClock }));
  const all = await ours("POST", "/indexes/products/search", '{"limit":200}');
  const { hits } = all.body as { hits: Record<string, unknown>[] };
  expect(hits.length).toBeGreaterThan(100);
  reference = `${test.meili.prefix}reference`;
  await createReferenceIndex(test.meili.client, reference, hits);
});

const withBody = (
  method: string,
  body: string | undefined,
  headers: Record<string, string> = {},
) => ({
  method,
  headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
  ...(body === undefined ? {} : { body }),
});

async function ours(method: string, path: string, body?: string): Promise<Answered> {
  const answer = await api.request(`/meili${path}`, withBody(method, body));
  return { status: answer.status, body: await answer.json() };
}

async function theirs(method: string, path: string, body?: string): Promise<Answered> {
  const named = (text: string) => text.replaceAll("products", reference);
  const answer = await fetch(
    test.meili.host + named(path),
    withBody(method, body === undefined ? undefined : named(body), {
      Authorization: `Bearer ${test.meili.apiKey}`,
    }),
  );
  const text = (await answer.text()).replaceAll(reference, "products");
  return { status: answer.status, body: JSON.parse(text) as unknown };
}

const croppedNumber = /(?<=\d)\d+(?=…$)/;

/** What of an answer must be equal. */
function comparable(value: unknown): unknown {
  if (typeof value === "string") return value.replace(croppedNumber, "");
  if (Array.isArray(value)) return value.map(comparable);
  if (!isRecord(value)) return value;
  const { message, code } = value;
  if (typeof message === "string" && typeof code === "string") {
    const words = message.split(/expected one of|Available|Hint/)[0]?.trim();
    return { ...value, message: toldByCode.has(code) ? "" : words };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      ofOneKind.has(name) ? typeof member : comparable(member),
    ]),
  );
}

/** Sends it to both; the status that they agree on. */
async function compare(method: string, path: string, body?: string): Promise<number> {
  const [own, real] = await Promise.all([ours(method, path, body), theirs(method, path, body)]);
  const what = `${method} ${path} ${body ?? ""}`;
  expect([what, own.status, comparable(own.body)]).toEqual([
    what,
    real.status,
    comparable(real.body),
  ]);
  return own.status;
}

const adapterOptions = [
  {},
  { finitePagination: true, keepZeroFacets: true },
  { placeholderSearch: false, primaryKey: "id" },
  { meiliSearchParams: { matchingStrategy: MatchingStrategies.ALL, cropLength: 3 } },
];
const adapterSearches = [
  { query: "" },
  { query: "財布", hitsPerPage: 3, page: 1, attributesToSnippet: ["title:2"] },
  { query: "財布", attributesToRetrieve: ["title"], attributesToHighlight: ["title"] },
  { query: "", facets: ["categories", "price"], facetFilters: [["categories:財布"]] },
  { query: "", facets: ["in_stock"], numericFilters: ["price>=2000", "price<=9000"] },
  { query: "zzz", facets: ["shop_id"], filters: "stock > 0" },
];

/** What the adapter makes of an answer, without times and the names of indexes. */
function adapted(answer: unknown): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) =>
    ofOneKind.has(name) || name === "processingTimeMS" ? typeof value : value,
  );
  return JSON.parse(text.replaceAll(reference, "products"));
}

/** The short form takes a third of what is listed. */
const some = <T>(all: readonly T[]): readonly T[] =>
  inject("long") ? all : all.filter((_, i) => i % 3 === 0);

const search = "/indexes/products/search";
const ordered = { sort: ["price:asc"] };

describe("the same request to /meili and to Meilisearch", () => {
  it("is read alike: any value of any parameter, and any valid ones together", async () => {
    const valid = new Map<string, unknown[]>();
    for (const [name, values] of Object.entries(requests.parameters)) {
      for (const value of some(values)) {
        const status = await compare("POST", search, JSON.stringify({ ...ordered, [name]: value }));
        if (status === 200) valid.set(name, [...(valid.get(name) ?? []), value]);
      }
    }
    // Not these: an order by other fields has ties, any of the hits with equal values may be counted, and
    // the words of a cropped text are those of its normal form.
    for (const name of ["sort", "distinct", "attributesToCrop", "vector", "media"])
      valid.delete(name);
    const query = fc.record(
      Object.fromEntries([...valid].map(([name, values]) => [name, fc.constantFrom(...values)])),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (body) => {
        await compare("POST", search, JSON.stringify({ ...ordered, q: "財布", ...body }));
      }),
      { numRuns: inject("long") ? 500 : 5 },
    );
  });

  it("is filtered alike, in every form of a filter", async () => {
    for (const filter of some(requests.filters)) {
      const body = { ...ordered, attributesToRetrieve: ["id"], limit: 200, filter };
      await compare("POST", search, JSON.stringify(body));
    }
  });

  itLong(
    "is answered alike by a search of several queries, each by itself or in one list",
    async () => {
      for (const body of multiSearches) {
        await compare("POST", "/multi-search", JSON.stringify(body));
      }
    },
  );

  itLong("is answered alike by a search for values of a facet", async () => {
    for (const body of requests.facetSearches) {
      await compare("POST", "/indexes/products/facet-search", JSON.stringify(body));
    }
  });

  it("is read alike from an address", async () => {
    for (const query of some(requests.addresses)) await compare("GET", `${search}?${query}`);
  });

  it("is refused alike when it is no search, or of no index", async () => {
    for (const body of some(requests.bodies)) await compare("POST", search, body);
    for (const uid of ["films", "fi%20lms"]) {
      await compare("GET", `/indexes/${uid}/search`);
      await compare("POST", `/indexes/${uid}/search`, "{}");
      await compare("POST", `/indexes/${uid}/facet-search`, '{"facetName":"shop_id"}');
      await compare("POST", `/indexes/${uid}/search`, '{"limit":"a"}');
    }
    await compare("GET", "/health");
  });

  it("is adapted alike by the adapter of InstantSearch, whatever it is set to", async () => {
    const server = await api.listen();
    try {
      for (const options of some(adapterOptions)) {
        const own = instantMeiliSearch(`${server.url}/meili`, "", options).searchClient;
        const { host, apiKey } = test.meili;
        const real = instantMeiliSearch(host, apiKey, options).searchClient;
        for (const params of adapterSearches) {
          const asked = (name: string) => [{ indexName: `${name}:price:asc`, params }];
          const answers = [
            await own.search(asked("products")),
            await real.search(asked(reference)),
          ];
          const [left, right] = answers.map((answer) => adapted(answer));
          expect([options, params, left]).toEqual([options, params, right]);
        }
        const values = (name: string) => [
          { indexName: name, params: { facetName: "categories", facetQuery: "財" } },
        ];
        expect(adapted(await own.searchForFacetValues(values("products")))).toEqual(
          adapted(await real.searchForFacetValues(values(reference))),
        );
      }
    } finally {
      await server.close();
    }
  });
});

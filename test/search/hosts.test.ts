import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { must } from "../../src/lib/must.ts";
import { bucketCount } from "../../src/search/index/bucket.ts";
import type { TestApi } from "../support/api.ts";
import { itLong } from "../support/it-long.ts";
import type { TestMirror } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import {
  countAt,
  countStates,
  differencesAtHosts,
  keepWriting,
  readPlaces,
} from "../support/placement.ts";
import { startSearchHost, type SearchHost, type TestCluster } from "../support/search-hosts.ts";
import { prepareOracle } from "../support/search-oracle.ts";
import {
  anyQuery,
  differences,
  readVocabulary,
  toPath,
  type Vocabulary,
} from "../support/search-proof.ts";
import { clock, openSeveralHosts, read } from "../support/several-hosts.ts";
import { until } from "../support/until.ts";

const isLong = inject("long");

const several = openedForAll(openSeveralHosts);
let test: TestMirror;
let hosts: SearchHost[];
let cluster: TestCluster;
let api: TestApi;
let oneHost: TestApi;
let indexPrefix: string;
/** A shop. */
let written: string;
let vocabulary: Vocabulary;

beforeAll(async () => {
  ({ test, hosts, cluster, api, oneHost, indexPrefix } = several);
  const [shop] = await test.db.execute<{ shop_id: string }>(sql`
    select shop_id from product group by 1 order by count(*), 1 limit 1`);
  written = must(shop?.shop_id, "a shop");
  await prepareOracle(test.db);
  vocabulary = await readVocabulary(test.db, ["ピアス", "椅子", "万年筆", "紅茶", "マフラー"]);
});

const moved = () => several.moved();
const placed = () => several.placed();

/**
 * Searches without a pause, each one anew, and compares each answer with that of one host. The products of
 * `written` are left out of them: others may change these meanwhile.
 */
function keepSearching() {
  const stopping = new AbortController();
  const seen = { searches: 0, faults: [] as unknown[], slowestMs: 0 };
  const path = `/v1/products?sort=price:asc&facets=category,price&per_page=100&exclude_shop_id=${written}`;
  const searching = (async () => {
    const expected = await read(oneHost, path);
    while (!stopping.signal.aborted) {
      const beganMs = performance.now();
      const answer = await read(api, `${path}&price_max=${9_000_000 + searched()}`);
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - beganMs);
      seen.searches += 1;
      if (!isDeepStrictEqual(answer, expected)) seen.faults.push(answer);
    }
  })();
  // Whoever stops it is told; a test that failed before need not hear of it.
  searching.catch(() => undefined);
  return {
    /** Until so many more searches are answered; how long the slowest so far took. */
    async more(searches: number) {
      const goal = seen.searches + searches;
      const timeoutMs = 120_000 + 250 * searches;
      await until(() => seen.searches >= goal, { what: `${searches} more searches`, timeoutMs });
      return seen.slowestMs;
    },
    async stop() {
      stopping.abort();
      await searching;
      return seen;
    },
  };
}

const first = () => must(hosts[0], "a host");

let searchedSoFar = 0;
/** No two searches are the same, so that none is answered from memory. */
const searched = () => (searchedSoFar += 1);

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
      { numRuns: isLong ? 250 : 4 },
    );
  }, 900_000);

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

describe("a search host that is lost", () => {
  itLong("is left out within a second when it does not answer any more", async () => {
    const searching = keepSearching();
    const usualMs = await searching.more(5);
    first().freeze();
    await searching.more(isLong ? 100 : 10);
    const { faults, slowestMs } = await searching.stop();
    first().thaw();
    expect(faults).toEqual([]);
    expect(slowestMs).toBeLessThan(2000 + 3 * usualMs);
  });

  itLong(
    "is found without its data, refilled and proven, and does not answer for what it lacks",
    async () => {
      await placed();
      const documents = await countAt(test.db, first());
      const searching = keepSearching();
      await searching.more(5);
      await first().restart("wipe");
      await until(async () => (await countStates(test.db)).filling > 0, {
        what: "the loss to be noticed",
      });
      await placed();
      await searching.more(5);
      expect((await searching.stop()).faults).toEqual([]);
      expect(await countAt(test.db, first())).toBe(documents);
      expect(await differencesAtHosts(test.db, indexPrefix)).toBe(0);
    },
  );

  it("is left out at once when it is killed, and no search fails", async () => {
    const searching = keepSearching();
    const usualMs = await searching.more(5);
    await first().kill();
    await searching.more(isLong ? 500 : 15);
    const { faults, slowestMs } = await searching.stop();
    expect(faults).toEqual([]);
    expect(slowestMs).toBeLessThan(1000 + 3 * usualMs);
  });

  it("without another copy, Postgres answers for all", async () => {
    const lost = hosts.slice(0, 2);
    await Promise.all(lost.map((host) => host.kill()));
    const path = `/v1/products?sort=price:asc&per_page=100&price_max=${8_000_000 + searched()}`;
    const { degraded, ids } = await read(api, path);
    expect([degraded, ids]).toEqual([true, (await read(oneHost, path)).ids]);
    // Only the tests that follow in the long form need them again.
    if (!isLong) return;
    await Promise.all(lost.map((host) => host.restart()));
    await until(async () => !(await read(api, `${path}${searched()}`)).degraded, {
      what: "the engines to answer again",
    });
  });
});

if (isLong) {
  describe("the hosts of the settings", () => {
    it("move only the share of one that is added under writes, and no search is wrong meanwhile", async () => {
      await placed();
      const before = await readPlaces(test.db);
      const added = await startSearchHost();
      hosts.push(added);
      const searching = keepSearching();
      const writing = keepWriting(test.db, written);
      await cluster.restart(hosts.map((host) => host.url));
      await until(async () => (await readPlaces(test.db)).size > before.size, {
        what: "buckets to move",
      });
      await moved();
      const { writes } = await writing();
      await searching.more(5);
      expect((await searching.stop()).faults).toEqual([]);
      expect(writes).toBeGreaterThan(3);
      const changed = [...(await readPlaces(test.db))].filter((place) => !before.has(place));
      expect(changed.every((place) => place.endsWith(added.url))).toBe(true);
      expect(changed.length).toBeLessThan((2 * bucketCount * 1.2) / hosts.length);
      await placed();
      expect(await differencesAtHosts(test.db, indexPrefix)).toBe(0);
      const counts = await Promise.all(hosts.map((host) => countAt(test.db, host)));
      const living = await test.db.execute(sql`select from product where state <> 'gone'`);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * living.length);
    });

    itLong("empty one that is taken away, and then forget it", async () => {
      const left = first();
      hosts.shift();
      const searching = keepSearching();
      await cluster.restart(hosts.map((host) => host.url));
      await until(
        async () => {
          const rows = await test.db.execute(sql`select from search_host where url = ${left.url}`);
          return rows.length === 0;
        },
        { what: "the host to be forgotten" },
      );
      await left.kill();
      await placed();
      await searching.more(5);
      expect((await searching.stop()).faults).toEqual([]);
      expect(await differencesAtHosts(test.db, indexPrefix)).toBe(0);
    });
  });
}

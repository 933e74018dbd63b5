import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { bucketCount } from "../../src/search/index/bucket.ts";
import { allHostsPrefix } from "../../src/search/mirror/hosts.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { createSearch, type Search } from "../../src/search/search.ts";
import { clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { storeGenerated } from "../support/generated.ts";
import { createTestMirror, drain, type TestMirror } from "../support/mirror.ts";
import { prepareOracle } from "../support/search-oracle.ts";
import {
  openTestCluster,
  startSearchHost,
  type SearchHost,
  type TestCluster,
} from "../support/search-hosts.ts";
import {
  anyQuery,
  differences,
  readVocabulary,
  toPath,
  type Vocabulary,
} from "../support/search-proof.ts";
import { until } from "../support/until.ts";

const clock = clockAt("2026-01-02T00:00:00.000Z");
const isLong = inject("long");
const hostCount = isLong ? 4 : 3;

let test: TestMirror;
let hosts: SearchHost[];
let cluster: TestCluster;
let search: Search;
let api: TestApi;
let oneHost: TestApi;
let vocabulary: Vocabulary;

beforeAll(async () => {
  test = await createTestMirror();
  hosts = await Promise.all(Array.from({ length: hostCount }, () => startSearchHost()));
  await storeGenerated(test.db, "2026-01-01T00:00:00.000Z", 400);
  await storeGenerated(test.db, "2026-01-01T12:00:00.000Z", 150);
  await drain(test.db, test.start(), test.indexPrefix);
  cluster = openTestCluster(test.db, {
    indexPrefix: test.indexPrefix,
    urls: hosts.map((host) => host.url),
  });
  await placed();
  await prepareOracle(test.db);
  vocabulary = await readVocabulary(test.db, ["ピアス", "椅子", "万年筆", "紅茶", "マフラー"]);
  const where = { ...test, searchDb: test.db, clock };
  search = createSearch({
    ...where,
    engine: cluster.cluster,
    servingIndex: cluster.cluster.servingIndexes,
  });
  api = createTestApi(test.db, { clock, ...search });
  oneHost = createTestApi(test.db, { clock, ...createSearch(where) });
});
afterAll(async () => {
  await cluster.close();
  await Promise.all(hosts.map((host) => host.kill()));
  await test.close();
});

/** All buckets have their copies, all of them proven, and everything is searchable. */
async function placed(copies = 2): Promise<void> {
  await until(
    async () => {
      const rows = await test.db.execute<{ state: string; n: number }>(sql`
        select state, count(*)::int as n from search_placement group by 1`);
      const prefix = allHostsPrefix(test.indexPrefix);
      const { serving } = await readMirrorStatus(test.db, new Date(0), prefix);
      const [only] = rows;
      const isPlaced =
        rows.length === 1 && only?.state === "serving" && only.n === copies * bucketCount;
      return (isPlaced && serving?.dirty === 0) || Promise.reject(new Error(JSON.stringify(rows)));
    },
    { what: "all buckets to be searched" },
  );
}

const compared = ["found", "found_exact", "facets", "facets_exact", "warnings", "degraded"];

/** What both answer, without what only the clock decides. */
async function read(from: TestApi, path: string) {
  const response = await from.get(path);
  const answer = (await response.json()) as Record<string, unknown> & {
    items: { item_id: number }[];
  };
  return {
    ids: answer.items.map((item) => item.item_id),
    ...Object.fromEntries(compared.map((name) => [name, answer[name]])),
  };
}

describe("searches over several hosts", () => {
  it("find, order and count what one host does, and what plain SQL does", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(vocabulary, 100_000), async (query) => {
        const path = toPath(query);
        expect(await read(api, path)).toEqual(await read(oneHost, path));
        expect(await differences(test.db, query, clock.now(), await api.get(path))).toEqual([]);
      }),
      { numRuns: isLong ? 500 : 40 },
    );
  });
});

import { inject } from "vitest";
import { bucketCount } from "../../src/search/index/bucket.ts";
import { allHostsPrefix } from "../../src/search/mirror/indexes/hosts.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { createSearch } from "../../src/search/search.ts";
import { clockAt, createTestApi, type TestApi } from "./api.ts";
import { storeGenerated } from "./generated.ts";
import { createTestMirror, drain, type TestMirror } from "./mirror.ts";
import { countStates } from "./placement.ts";
import {
  openTestCluster,
  startSearchHost,
  type SearchHost,
  type TestCluster,
} from "./search-hosts.ts";
import { until } from "./until.ts";

export const clock = clockAt("2026-01-02T00:00:00.000Z");

export interface SeveralHosts {
  test: TestMirror;
  hosts: SearchHost[];
  cluster: TestCluster;
  /** That of the indexes of the several hosts. */
  indexPrefix: string;
  /** Searches the several hosts. */
  api: TestApi;
  /** Searches the host of `test`, which has the same products. */
  oneHost: TestApi;
  /** All buckets have both copies, all of them proven. */
  moved(): Promise<void>;
  /** The same, and every change is searchable. */
  placed(): Promise<void>;
  close(): Promise<void>;
}

/** A generated catalogue, mirrored to several search hosts and to a single one. */
export async function openSeveralHosts(): Promise<SeveralHosts> {
  const isLong = inject("long");
  const hostCount = isLong ? 4 : 3;
  const test = await createTestMirror();
  const hosts = await Promise.all(Array.from({ length: hostCount }, () => startSearchHost()));
  await storeGenerated(test.db, "2026-01-01T00:00:00.000Z", isLong ? 400 : 100);
  await storeGenerated(test.db, "2026-01-01T12:00:00.000Z", isLong ? 150 : 30);
  await drain(test.db, test.start(), test.indexPrefix);
  // Another one, because the only host's indexes are retired where there are several hosts.
  const indexPrefix = `${test.meili.prefix}cv`;
  const cluster = openTestCluster(test.db, {
    indexPrefix,
    urls: hosts.map((host) => host.url),
  });

  async function moved(): Promise<void> {
    await until(
      async () => {
        const counts = await countStates(test.db);
        const isPlaced =
          counts.serving === 2 * bucketCount && counts.filling + counts.leaving === 0;
        return isPlaced || Promise.reject(new Error(JSON.stringify(counts)));
      },
      { what: "all buckets to be searched" },
    );
  }

  async function placed(): Promise<void> {
    await moved();
    const prefix = allHostsPrefix(indexPrefix);
    await until(async () => (await readMirrorStatus(test.db, prefix)).serving?.dirty === 0, {
      what: "every change to be searchable",
    });
  }

  await placed();
  const where = { ...test, searchDb: test.db, clock };
  const search = createSearch({
    ...where,
    engine: cluster.cluster,
    servingIndex: cluster.cluster.servingIndexes,
  });
  return {
    test,
    hosts,
    cluster,
    indexPrefix,
    api: createTestApi(test.db, { clock, ...search }),
    oneHost: createTestApi(test.db, { clock, ...createSearch(where) }),
    moved,
    placed,
    async close() {
      await cluster.close();
      await Promise.all(hosts.map((host) => host.kill()));
      await test.close();
    },
  };
}

const compared = ["found", "found_exact", "facets", "facets_exact", "warnings"];

/** What both answer, without what only the clock decides. */
export async function read(from: TestApi, path: string) {
  const response = await from.get(path);
  const answer = (await response.json()) as Record<string, unknown> & {
    items: { item_id: number }[];
  };
  return {
    ids: answer.items.map((item) => item.item_id),
    degraded: answer.degraded,
    ...Object.fromEntries(compared.map((name) => [name, answer[name]])),
  };
}

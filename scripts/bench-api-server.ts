/** One server of `bench-api`: the whole API, or Hono with a fixed body, as its environment says. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createBenchSite } from "../src/bench/scale/requests.ts";
import { openDb } from "../src/db/open.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { createCache } from "../src/lib/cache.ts";
import { must } from "../src/lib/must.ts";
import { createCluster } from "../src/search/cluster/cluster.ts";
import { enginesByUrl } from "../src/search/cluster/host-mirrors.ts";
import { createRoute } from "../src/search/cluster/route.ts";
import { createEngine } from "../src/search/engine/engine.ts";
import type { IndexVersion } from "../src/search/mirror/indexes/serving-index.ts";
import { warmUpQuery } from "../src/search/query/warm-up.ts";
import { createSearch } from "../src/search/search.ts";
import { logger } from "./support/servers.ts";

const { BENCH_DATABASE_URL, BENCH_MEILI, BENCH_FIXED_BYTES } = process.env;
const { BENCH_FORGETFUL, BENCH_CHANGE_EVERY_MS, BENCH_SEVERAL_HOSTS, BENCH_CACHE_MB } = process.env;
let versions = 0;

/** How often the index version changes; undefined: as it really does. */
function assumedVersion(): { indexVersion?: IndexVersion } {
  // A new one every time: nothing that is remembered is valid.
  if (BENCH_FORGETFUL !== undefined) return { indexVersion: async () => String((versions += 1)) };
  if (BENCH_CHANGE_EVERY_MS === undefined) return {};
  const everyMs = Number(BENCH_CHANGE_EVERY_MS);
  return { indexVersion: async () => String(Math.floor(clock.monotonicMs() / everyMs)) };
}

function createFixed(bytes: number): Hono {
  const text = JSON.stringify({ items: "x".repeat(Math.max(0, bytes - 12)) });
  const app = new Hono();
  app.get("/v1/products", (c) => c.body(text, 200, { "Content-Type": "application/json" }));
  return app;
}

/** With one search host, or with those on which the indexes of the prefix `BENCH_SEVERAL_HOSTS` are placed. */
function createApi(databaseUrl: string, meili: { host: string; apiKey: string }) {
  const pool = (name: string, maxConnections: number) =>
    openDb({
      url: databaseUrl,
      applicationName: `kurabe:${name}`,
      maxConnections,
      statementTimeoutMs: 5000,
    }).db;
  const db = pool("api", 10);
  const cluster =
    BENCH_SEVERAL_HOSTS === undefined
      ? null
      : createCluster({
          clock,
          readRoute: createRoute(db, createCache(clock), BENCH_SEVERAL_HOSTS),
          engineOf: enginesByUrl([], (host) => createEngine({ ...meili, host, clock })),
          probe: warmUpQuery,
        });
  const search = createSearch({
    db,
    searchDb: pool("search", 4),
    engine: cluster ?? createEngine({ ...meili, clock }),
    ...(cluster && { servingIndex: cluster.servingIndexes }),
    clock,
    cache: createCache(clock, Number(BENCH_CACHE_MB ?? 64) * 1024 * 1024),
    ...assumedVersion(),
  });
  return createBenchSite({ db, clock, logger, timezone: "Asia/Tokyo" }, search).app;
}

const app =
  BENCH_FIXED_BYTES === undefined
    ? createApi(must(BENCH_DATABASE_URL, "a database"), JSON.parse(must(BENCH_MEILI, "an engine")))
    : createFixed(Number(BENCH_FIXED_BYTES));
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  process.send?.(`http://127.0.0.1:${port}`);
});
process.once("disconnect", () => server.close(() => process.exit(0)));

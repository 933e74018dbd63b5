import type { IncomingMessage } from "node:http";
import { serve } from "@hono/node-server";
import { sql } from "drizzle-orm";
import { Registry } from "prom-client";
import { createReach } from "../../src/alerts/delivery/addresses.ts";
import type { ApiDeps } from "../../src/api/http/deps.ts";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { createProductReader } from "../../src/catalog/products.ts";
import { createShopNames } from "../../src/catalog/shops.ts";
import { openDb, type Db } from "../../src/db/open.ts";
import { createKeyring } from "../../src/keys/keyring.ts";
import { createCache } from "../../src/lib/cache.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { cronFault, nextCronRuns } from "../../src/service/worker/schedule.ts";
import { oneHostPlacement } from "../../src/search/cluster/placement-status.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";
import { createFacetValues } from "../../src/search/query/facet-values.ts";
import type { SearchClient } from "../../src/search/query/search-client.ts";
import type { ProductHits, ProductQuery } from "../../src/search/query/query.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { createSite } from "../../src/web/site.tsx";
import { checked, checksItself, watched } from "./answer-check.ts";
import { withJson } from "./json-request.ts";

export const opsToken = "a-token-of-the-tests-with-more-than-32-characters";
export const authorised = { Authorization: `Bearer ${opsToken}` };

export interface Served {
  url: string;
  close(): Promise<void>;
}

export interface TestApi {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The body of an answer, which must have this status; 200 by default. */
  json<T>(path: string, status?: number): Promise<T>;
  /** With the ops token. */
  ops(method: string, path: string, body?: unknown): Promise<Response>;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a body as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Serves the API and the pages on a loopback port of their own. */
  listen(): Promise<Served>;
  /** Sends a request as from this address. */
  from(
    remoteAddress: string,
    path: string,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<Response>;
}

export function createTestApi(db: Db, over: Partial<ApiDeps> = {}): TestApi {
  const clock = over.clock ?? systemClock;
  const cache = over.cache ?? createCache(clock);
  const search = over.search ?? ((query: ProductQuery) => searchBySql(db, query));
  const searchClient = over.searchClient ?? absentEngine;
  const shopNames = createShopNames(db, cache);
  const app = createSite({
    db,
    replica: null,
    writeDb: db,
    opsDb: db,
    demand: { shown() {}, opened() {}, foundNothing() {} },
    clicks: { clicked: () => "counted" },
    clock,
    logger: silentLogger,
    registry: new Registry(),
    market: createMarket(defaultMarket),
    budget: { dailyLimit: 10_000, timezone: "Asia/Tokyo" },
    opsToken,
    operators: [],
    clientAddress: () => "client",
    apiKeys: "off",
    keys: createKeyring({ db, clock, timezone: "Asia/Tokyo" }),
    rateLimitPerMinute: 0,
    webhookReach: createReach([]),
    exportsDir: "/nowhere",
    publicExportsDir: null,
    search,
    facetValues: createFacetValues({ db, search, searchClient, shopNames }),
    shopNames,
    suggest: async () => ({ items: [], degraded: false }),
    searchClient,
    readProducts: createProductReader(db, cache),
    cache,
    placement: async () => oneHostPlacement,
    mirrorStatus: () => readMirrorStatus(db),
    startRebuild: async () => "products_2",
    cron: {
      fault: cronFault,
      nextRuns: (expression, count) => nextCronRuns(expression, count, "Asia/Tokyo"),
    },
    isReady: () => true,
    stopping: new AbortController().signal,
    hangingLoops: () => [],
    ...over,
  });
  const request = async (path: string, init?: RequestInit) =>
    checked({ method: init?.method ?? "GET", path }, await app.request(path, init));
  const serveWatched: typeof app.fetch = async (sent, env) => {
    const { pathname, search } = new URL(sent.url);
    return watched({ method: sent.method, path: pathname + search }, await app.fetch(sent, env));
  };
  return {
    request,
    async from(remoteAddress, path, headers = {}, method = "GET") {
      const incoming = { socket: { remoteAddress } } as IncomingMessage; // all that is read of it
      return checked({ method, path }, await app.request(path, { headers, method }, { incoming }));
    },
    get: (path, headers = {}) => request(path, { headers }),
    async json<T>(path: string, status = 200) {
      const response = await request(path);
      if (response.status !== status) throw new Error(`${path} answered ${response.status}`);
      return response.json() as Promise<T>;
    },
    post: (path, body, headers = {}) =>
      request(path, { method: "POST", ...withJson(body, headers) }),
    listen: () =>
      new Promise((resolve) => {
        const at = { fetch: serveWatched, hostname: "127.0.0.1", port: 0 };
        const server = serve(at, ({ port }) => {
          const url = `http://127.0.0.1:${port}`;
          checksItself(url);
          resolve({
            url,
            close: () =>
              new Promise((closed) => {
                server.close(() => closed());
                if ("closeAllConnections" in server) server.closeAllConnections();
              }),
          });
        });
      }),
    ops: (method, path, body) => request(path, { method, ...withJson(body, authorised) }),
  };
}

/** For tests without an engine. */
export const absentEngine: SearchClient = {
  ask: async () => Promise.reject(new EngineUnavailable("absent")),
  askAnew: async () => Promise.reject(new EngineUnavailable("absent")),
  askFederated: async () => Promise.reject(new EngineUnavailable("absent")),
  facetSearch: async () => Promise.reject(new EngineUnavailable("absent")),
};

/** A database without a server: every query fails at once. */
export function absentDb(): Db {
  return openDb({
    url: "postgres://nobody@127.0.0.1:1/none",
    applicationName: "absent",
    maxConnections: 1,
    statementTimeoutMs: 1000,
  }).db;
}

const noHits: ProductHits = {
  ids: [],
  found: 0,
  foundExact: true,
  titles: new Map(),
  facets: {},
  facetsExact: {},
  groups: new Map(),
  partial: new Map(),
  corrected: null,
  engine: "meilisearch",
  degraded: false,
  indexUid: "products_1",
  warnings: [],
};

/** For answers that need no database. By default the search finds nothing. */
export function apiWithoutDb(
  search: (query: ProductQuery) => Promise<ProductHits> = async () => noHits,
): TestApi {
  return createTestApi(absentDb(), { search });
}

/** A wall clock that stands at `now`, while durations pass. */
export function clockAt(now: string): Clock {
  return { ...systemClock, now: () => new Date(now) };
}

/** Answers a search by plain SQL: words of the title, filters, order, page. */
export async function searchBySql(db: Db, query: ProductQuery): Promise<ProductHits> {
  const list = (values: readonly string[]) => JSON.stringify(values);
  const any = (
    values: readonly string[] | undefined,
    test: (json: string) => ReturnType<typeof sql>,
  ) => (values?.length ? test(list(values)) : sql`true`);
  const rows = await db.execute<{ item_id: number; found: number }>(sql`
    select item_id, count(*) over () as found from product p
    where state <> 'gone' and title ilike ${`%${(query.q ?? "").replaceAll(/[%_\\]/g, "\\$&")}%`}
      and ${any(query.shopIds, (json) => sql`shop_id in (select json_array_elements_text(${json}::text::json))`)}
      and ${any(query.excludeShopIds, (json) => sql`shop_id not in (select json_array_elements_text(${json}::text::json))`)}
      and ${any(query.categories, (json) => sql`exists (select from json_array_elements_text(${json}::text::json) c where p.categories ? c)`)}
      and ${any(query.gtins, (json) => sql`exists (select from variation v where v.item_id = p.item_id and v.gtin in (select json_array_elements_text(${json}::text::json)))`)}
      and price between ${query.priceMin ?? 0} and ${query.priceMax ?? Number.MAX_SAFE_INTEGER}
      and ${query.inStock === undefined ? sql`true` : sql`(stock > 0) = ${query.inStock}`}
      and ${query.onSale === undefined ? sql`true` : sql`coalesce(proper_price > price, false) = ${query.onSale}`}
    order by ${query.sort === "price:desc" ? sql`price desc` : sql`price`}, item_id
    limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`);
  return {
    ...noHits,
    ids: rows.map((row) => row.item_id),
    found: rows[0]?.found ?? 0,
  };
}

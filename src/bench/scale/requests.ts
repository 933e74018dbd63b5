import { Registry } from "prom-client";
import { createReach } from "../../alerts/delivery/addresses.ts";
import { createMarket, defaultMarket } from "../../catalog/market.ts";
import { createClickBuffer } from "../../catalog/visitors/clicks.ts";
import { createDemandBuffer } from "../../catalog/visitors/demand.ts";
import type { Db } from "../../db/open.ts";
import { createKeyring } from "../../keys/keyring.ts";
import { createCache } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { oneHostPlacement } from "../../search/cluster/placement-status.ts";
import type { Engine } from "../../search/engine/engine.ts";
import { startRebuild } from "../../search/mirror/rebuild.ts";
import { readMirrorStatus } from "../../search/mirror/status.ts";
import { createSearch } from "../../search/search.ts";
import { cronFault, nextCronRuns } from "../../service/worker/schedule.ts";
import { createSite } from "../../web/site.tsx";
import { withoutSearches } from "./engine.ts";
import { benchGtin } from "./fill.ts";

export interface RequestOptions {
  db: Db;
  /** Each request comes an hour after the one before, so that no answer is remembered. */
  clock: Clock & { advance(ms: number): void };
  logger: Logger;
  engine: Engine;
  timezone: string;
  /** The id of some product; each has the same chance. */
  pick(): number;
  onRequest(path: string): void;
  /** Called for a request that fails, with its path and status. */
  onFailure(path: string, status: number): void;
}

/** A clock of this moment whose durations pass faster than they do, so that nobody waits for a refresh. */
export function createHurriedClock(clock: Clock): RequestOptions["clock"] {
  let offsetMs = 0;
  const advance = (ms: number) => void (offsetMs += ms);
  return {
    ...clock,
    advance,
    monotonicMs: () => clock.monotonicMs() + offsetMs,
    async sleep(ms, signal) {
      await clock.sleep(ms, signal);
      advance(ms * 30);
    },
  };
}

/** Searches that Postgres answers: several words, one frequent word, a rare one, and every kind of restriction. */
const searches = [
  "q=革財布 北欧風",
  "q=bag",
  "q=cup leather",
  "q=No.17",
  "q=アイウ",
  "q=工房 17",
  "q=bagg",
  "q=lether bag",
  'q="vintage bag" -cup',
  "",
  "max_age_s=3600",
  "max_age_s=3600&q=bag",
  "sort=price:asc",
  "sort=modified:desc&in_stock=true",
  "sort=discount:desc&on_sale=true",
  "sort=popularity:desc",
  "sort=unit_price:asc",
  "shop_id=shop-17&facets=category,price,in_stock",
  "category=things 7&facets=shop_id",
  "price_min=1000&price_max=1100&group=gtin",
  `gtin=${benchGtin(17)}`,
  `q=${benchGtin(17).slice(1, 13)}`,
  "exclude_shop_id=shop-1&facets=shop_id,category,price,in_stock",
];

/** Returns what sends every request of the API, the console's API and the pages once, one after another. */
export function createRequests(options: RequestOptions): () => Promise<void> {
  const { clock, pick } = options;
  const siteOf = (engine: Engine) => {
    const { db } = options;
    return createBenchSite(
      options,
      createSearch({ db, searchDb: db, engine, clock, cache: createCache(clock) }),
    );
  };
  const found = siteOf(options.engine);
  const searchedBySql = siteOf(withoutSearches(options.engine));
  return async () => {
    for (const search of searches) {
      await send(searchedBySql.app, `/v1/products?${encodeURI(search)}`);
    }
    for (const [path, body] of requests(pick)) await send(found.app, path, body);
    // The limits of clients are counted by address and minute.
    for (const flush of found.flushes) await flush();
  };

  async function send(app: typeof found.app, path: string, body?: unknown) {
    clock.advance(3_600_000);
    options.onRequest(path);
    const answer = await app.request(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(path.startsWith("/ops") ? { Authorization: `Bearer ${opsToken}` } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.text();
    if (answer.status >= 400 && answer.status !== 404 && answer.status !== 410) {
      options.onFailure(path, answer.status);
    }
  }
}

function* requests(pick: () => number): Generator<[path: string, body?: unknown]> {
  const gtin = () => benchGtin(pick());
  const ids = (count: number) => Array.from({ length: count }, pick);
  yield [`/v1/products?q=${encodeURIComponent("革財布")}`];
  yield ["/v1/products?q=bag&max_age_s=86400&facets=shop_id"];
  yield ["/v1/products?q=bag&group=gtin"];
  yield [`/v1/products/${pick()}`];
  yield [`/v1/products/${pick()}/history`];
  yield [`/v1/products/${pick()}/history?granularity=day`];
  yield [`/v1/products/${pick() & ~1}/offers`];
  yield ["/v1/products/lookup", { item_ids: ids(20) }];
  yield ["/v1/products/lookup", { item_ids: ids(200), include: ["lows", "offers"] }];
  yield ["/v1/offers/lookup", { gtins: [gtin(), gtin()] }];
  yield [`/v1/products/${pick()}/refresh`, {}];
  yield ["/v1/shops"];
  yield ["/v1/shops?page=3"];
  yield ["/v1/shops/shop-17"];
  yield [`/v1/offers/${gtin()}`];
  yield ["/v1/categories"];
  yield ["/v1/categories?page=2"];
  yield [`/v1/suggest?q=${encodeURIComponent("革")}`];
  yield ["/v1/suggest?q=shop"];
  yield ["/v1/facets/shop_id?q=shop-1"];
  yield ["/v1/facets/category?q=things"];
  yield ["/v1/price-drops"];
  yield ["/v1/price-drops?min_percent=3&sort=biggest"];
  yield ["/v1/status"];
  yield ["/v1/changes"];
  yield [`/go/${pick()}`];
  yield ["/metrics"];
  yield ["/readyz"];
  const ops =
    "budget calls jobs queries plan backoffs quarantine mirror keys audit zero-results deletions";
  for (const name of ops.split(" ")) yield [`/ops/v1/${name}`];
  yield ["/ops/v1/calls?purpose=revalidation&status=ok"];
  yield ["/ops/v1/calls?status=failed&shop_id=shop-17"];
  yield ["/ops/v1/calls/17"];
  yield ["/ops/v1/failures"];
  yield ["/ops/v1/failures?range=month"];
  yield ["/ops/v1/audit?outcome=refused"];
  yield ["/ops/v1/keys", { name: "bench" }];
  yield ["/ops/v1/pause", {}];
  yield ["/ops/v1/resume", {}];
  yield ["/"];
  yield [`/products/${pick()}`];
}

const opsToken = "the-bench-of-statements-by-size-0123456789";

/** The whole API and the pages, without what only a worker or an operator needs. */
export function createBenchSite(
  { db, clock, logger, timezone }: { db: Db; clock: Clock; logger: Logger; timezone: string },
  search: ReturnType<typeof createSearch>,
) {
  const demand = createDemandBuffer(db, clock);
  const clicks = createClickBuffer(db, clock, { timezone, demand });
  const keys = createKeyring({ db, clock, timezone });
  const app = createSite({
    db,
    writeDb: db,
    opsDb: db,
    replica: null,
    demand,
    clicks,
    clock,
    logger,
    registry: new Registry(),
    market: createMarket(defaultMarket),
    budget: { dailyLimit: 1_000_000, timezone },
    opsToken,
    operators: [],
    clientAddress: () => "client",
    apiKeys: "off",
    keys,
    rateLimitPerMinute: 0,
    webhookReach: createReach([]),
    exportsDir: "/nowhere",
    publicExportsDir: null,
    ...search,
    placement: async () => oneHostPlacement,
    mirrorStatus: () => readMirrorStatus(db),
    startRebuild: (tx) => startRebuild(tx),
    cron: {
      fault: cronFault,
      nextRuns: (expression, count) => nextCronRuns(expression, count, timezone),
    },
    isReady: () => true,
    stopping: new AbortController().signal,
    hangingLoops: () => [],
  });
  return { app, flushes: [demand.flush, clicks.flush, keys.flush] };
}

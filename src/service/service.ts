import { join } from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import { createReach } from "../alerts/delivery/addresses.ts";
import { createClientAddress } from "../api/http/middleware/client-address.ts";
import { rememberTimezone } from "../catalog/analytics.ts";
import { createClickBuffer } from "../catalog/visitors/clicks.ts";
import { createDemandBuffer } from "../catalog/visitors/demand.ts";
import { defaultLossBounds, sandboxLossBounds } from "../catalog/observing/loss-guard.ts";
import type { Config } from "../config.ts";
import type { BudgetRules } from "../crawl/budget/budget.ts";
import { ensureJobs } from "../crawl/budget/jobs.ts";
import { warnOfFewConnections } from "../db/connection-limit.ts";
import { migrateDb } from "../db/migrate.ts";
import type { Db } from "../db/open.ts";
import { archiveMonths } from "../export/archive.ts";
import { createKeyring, exchangeMs } from "../keys/keyring.ts";
import { createCache } from "../lib/cache.ts";
import { createLoopWatch, type LoopWatch } from "../lib/loop.ts";
import { listen } from "./listen.ts";
import { marketOf, readOpsToken, budgetRules } from "./from-config.ts";
import { allotPools, type PoolName } from "./pools.ts";
import { openReads } from "./reads.ts";
import { refuseWhileLocked } from "../db/guarded-pool.ts";
import {
  openResources,
  repeat,
  whenReachable,
  type PoolLimits,
  type Resources,
  type Runtime,
} from "./resources.ts";
import { cronFault, nextCronRuns } from "./worker/schedule.ts";
import { createSearchBackend, type SearchBackend } from "./search-backend.ts";
import type { MirrorStatus } from "../search/mirror/status.ts";
import { createSearch } from "../search/search.ts";
import { createSite } from "../web/site.tsx";
import { createPublisher, publicExportsDir } from "./worker/public-exports.ts";
import { createTimeRequest, createUpstreamClock } from "../storefront/upstream-clock.ts";
import { openClients, openUpstream } from "./upstream.ts";
import { registerLoopMetric, serveHealth } from "./worker/worker-health.ts";
import { runWorker } from "./worker/worker.ts";

export interface Roles {
  api: boolean;
  /** Crawl, mirror and run the scheduled jobs. */
  worker: boolean;
}

export interface Service {
  /** Address of the API; null without the API. */
  url: string | null;
  opsTokenPath: string | null;
  upstream: { url: string; isSandbox: boolean } | null;
  resources: Resources;
  mirrorStatus(db: Db): Promise<MirrorStatus>;
  rules: BudgetRules;
  /** Rejects when the service cannot continue; resolves after a stop. */
  running: Promise<void>;
  /** Stops everything that was started, in reverse order. The API answers for `stopDelayMs` before. */
  stop(): Promise<void>;
}

/** How long to wait for the index that a first start makes. */
const indexWithinMs = 15_000;

/** How long a stop waits for what is under way: the database may be silent, or busy with a long statement. */
const stopPatienceMs = 20_000;

/** Builds and starts everything from the settings. Nothing else constructs a client. */
export async function startService(
  config: Config,
  roles: Roles,
  runtime: Runtime,
): Promise<Service> {
  const stopping = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  let ready = false;
  let release: Resources["close"] | undefined;
  const patience = async (ended: AbortSignal) => {
    await runtime.clock.sleep(stopPatienceMs, ended);
    if (!ended.aborted)
      runtime.logger.warn("what still waits, as for a silent database, is given up");
  };
  const stop = async () => {
    stopping.abort();
    if (roles.api && ready) await runtime.clock.sleep(config.stopDelayMs);
    const ended = new AbortController();
    const late = patience(ended.signal);
    const failures: unknown[] = [];
    for (const close of closers.splice(0).toReversed()) {
      const [closed] = await Promise.allSettled([Promise.race([close(), late])]);
      if (closed.status === "rejected") failures.push(closed.reason);
    }
    ended.abort();
    await release?.();
    if (failures.length > 0) throw failures[0];
  };
  try {
    const resources = await openResources(config, runtime);
    release = resources.close;
    const token = await readOpsToken(config.opsToken, config.dataDir);
    const rules = budgetRules(config);
    const pools = allotPools(config.databaseConnections, roles);
    const loops = createLoopWatch(runtime.clock);
    const jobsDb = refuseWhileLocked(resources.pool("jobs", pools.jobs));
    const isReady = () => ready;
    const backend = createSearchBackend(config, resources, runtime);
    const url = roles.api
      ? await serveApi(
          {
            config,
            resources,
            backend,
            pools,
            rules,
            runtime,
            opsToken: token.token,
            loops,
            isReady,
            stopping: stopping.signal,
          },
          closers,
        )
      : null;
    if (!roles.api) {
      const { signal } = stopping;
      await serveHealth({ db: jobsDb, stopping: signal, config, runtime, loops, isReady }, closers);
    }
    await whenReachable(runtime, async () => {
      await migrateDb(resources.databaseUrl, runtime);
      const before = await rememberTimezone(jobsDb, rules.timezone, runtime.clock.now());
      if (before !== null)
        runtime.logger.warn(
          { before, timezone: rules.timezone },
          "the day is counted in another zone than before: all processes need the same STOREFRONT_TIMEZONE",
        );
      await ensureJobs(jobsDb, runtime.clock.now());
      await warnOfFewConnections(jobsDb, config, runtime.logger);
    });
    const warmed = roles.api
      ? Promise.allSettled([backend.warmUp(jobsDb, roles.worker ? indexWithinMs : 0)])
      : null;
    const work = roles.worker
      ? await startWork(
          { config, resources, backend, pools, rules, runtime, loops, jobsDb },
          stopping.signal,
          closers,
        )
      : null;
    await warmed;
    ready = true;
    return {
      url,
      opsTokenPath: token.path,
      upstream: work?.upstream ?? null,
      resources,
      mirrorStatus: backend.status,
      rules,
      running: work?.running ?? Promise.resolve(),
      stop,
    };
  } catch (error) {
    await Promise.allSettled([stop()]);
    throw error;
  }
}

interface Wiring {
  config: Config;
  resources: Resources;
  backend: SearchBackend;
  pools: Record<PoolName, PoolLimits>;
  rules: BudgetRules;
  runtime: Runtime;
  loops: LoopWatch;
}

async function serveApi(
  wiring: Wiring & { opsToken: string; isReady: () => boolean; stopping: AbortSignal },
  closers: (() => Promise<void>)[],
): Promise<string> {
  const { config, resources, backend, pools, rules, runtime } = wiring;
  const { clock, logger } = runtime;
  const reads = openReads(config, resources, pools, runtime);
  closers.push(reads.close);
  const { db, searchDb, opsDb, replica } = reads;
  const writeDb = resources.pool("api-writes", pools["api-writes"]);
  const demand = createDemandBuffer(writeDb, clock);
  const clicks = createClickBuffer(writeDb, clock, { timezone: rules.timezone, demand });
  const registry = new Registry();
  // Metrics of the process under their usual names: event loop delay, heap, file descriptors.
  collectDefaultMetrics({ register: registry });
  registerLoopMetric(registry, wiring.loops);
  const cache = createCache(clock, config.cacheMaxBytes);
  const keys = createKeyring({ db: writeDb, clock, timezone: rules.timezone });
  const { isReady } = wiring;
  closers.push(
    repeat({ name: "demand", everyMs: 5000, work: demand.flush, runtime, isReady }),
    repeat({ name: "clicks", everyMs: 1000, work: clicks.flush, runtime, isReady }),
    repeat({ name: "api-keys", everyMs: exchangeMs, work: keys.flush, runtime, isReady }),
  );
  const app = createSite({
    db,
    replica,
    writeDb,
    opsDb,
    demand,
    clicks,
    clock,
    logger,
    registry,
    budget: rules,
    market: marketOf(config),
    sendsMails: config.smtp !== null,
    opsToken: wiring.opsToken,
    operators: config.operators,
    clientAddress: createClientAddress(config.trustedProxies),
    apiKeys: config.apiKeys,
    keys,
    rateLimitPerMinute: config.rateLimitPerMinute,
    webhookReach: createReach(config.webhookNetworks),
    exportsDir: join(config.dataDir, "exports"),
    publicExportsDir: publicExportsDir(config),
    ...createSearch({
      db,
      searchDb,
      ...backend.search(writeDb, cache, registry),
      clock,
      cache,
      embedder: config.embedder,
    }),
    mirrorStatus: () => backend.status(opsDb),
    placement: () => backend.placement(opsDb),
    startRebuild: backend.startRebuild,
    cron: {
      fault: cronFault,
      nextRuns: (expression, count) => nextCronRuns(expression, count, rules.timezone),
    },
    isReady,
    stopping: wiring.stopping,
    hangingLoops: wiring.loops.hanging,
  });
  const listener = await listen(app.fetch, config);
  closers.push(listener.close);
  return listener.url;
}

async function startWork(
  wiring: Wiring & { jobsDb: Db },
  signal: AbortSignal,
  closers: (() => Promise<void>)[],
): Promise<{ upstream: { url: string; isSandbox: boolean }; running: Promise<void> }> {
  const { config, resources, backend, pools, rules, runtime } = wiring;
  const { clock, logger } = runtime;
  const upstream = await openUpstream(config, resources.databaseUrl, runtime, closers);
  const mirrorDb = resources.pool("mirror", pools.mirror);
  const mirror = backend.mirror(mirrorDb, wiring.loops);
  const askForTime = createTimeRequest(upstream.access.baseUrl);
  const upstreamClock = createUpstreamClock({ clock, logger }, askForTime);
  const running = runWorker(
    {
      loops: wiring.loops,
      crawlDb: resources.pool("crawl", pools.crawl),
      jobsDb: wiring.jobsDb,
      clock,
      logger,
      config,
      rules: { ...rules, upstreamAheadMs: upstreamClock.aheadMs },
      clientOf: openClients(upstream.access, config.storefront, upstreamClock),
      keywords: config.crawl.keywords.length > 0 ? config.crawl.keywords : upstream.keywords,
      lossBounds: config.storefront.baseUrl === null ? sandboxLossBounds : defaultLossBounds,
      mirrorStep: mirror.step,
      publishSnapshot: createPublisher(config, marketOf(config), resources, clock),
      archiveMonths: (keepMonths, stop) =>
        archiveMonths(
          {
            db: wiring.jobsDb,
            databaseUrl: resources.databaseUrl,
            clock,
            folder: join(config.dataDir, "archive"),
          },
          keepMonths,
          stop,
        ),
      verifyMirror: (stop) => backend.verify(mirrorDb, stop),
    },
    signal,
  );
  closers.push(async () => {
    // `running` has already reported how it ended. A lease that cannot be released expires.
    await Promise.allSettled([running]);
    await Promise.allSettled([mirror.release()]);
  });
  return {
    upstream: { url: upstream.access.baseUrl, isSandbox: config.storefront.baseUrl === null },
    running,
  };
}

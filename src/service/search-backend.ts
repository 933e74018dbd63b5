import { Counter, type Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Db, Tx } from "../db/open.ts";
import type { Cache } from "../lib/cache.ts";
import type { LoopWatch } from "../lib/loop-watch.ts";
import { createCluster, type HostOutcome } from "../search/cluster/cluster.ts";
import {
  createHostMirrors,
  enginesByUrl,
  startHostRebuilds,
  verifyAllHosts,
  verifyHosts,
} from "../search/cluster/host-mirrors.ts";
import {
  oneHostPlacement,
  readPlacement,
  type PlacementStatus,
} from "../search/cluster/placement-status.ts";
import { createGrowingCluster } from "../search/cluster/only-host.ts";
import { forgetAllHosts, plainUrl } from "../search/cluster/plan.ts";
import { createRoute, readRoute } from "../search/cluster/route.ts";
import { createEngine, type SearchEngine } from "../search/engine/engine.ts";
import { allHostsPrefix } from "../search/mirror/hosts.ts";
import { defaultIndexPrefix } from "../search/mirror/indexes.ts";
import { createMirror, type Mirror } from "../search/mirror/mirror.ts";
import { startRebuild } from "../search/mirror/rebuild.ts";
import { readMirrorStatus, type MirrorStatus } from "../search/mirror/status.ts";
import type { VerifyReport } from "../search/mirror/reconcile.ts";
import { verifyMirror, verifyShare } from "../search/mirror/verify.ts";
import { warmUp, warmUpQuery } from "../search/query/warm-up.ts";
import type { Resources, Runtime } from "./resources.ts";

/** What depends on whether there are one or several search hosts. */
export interface SearchBackend {
  /** `db` must not be a replica: a host that lost its index is not to be searched a second later. */
  search(
    db: Db,
    cache: Cache,
    registry: Registry,
  ): { engine: SearchEngine; servingIndex?: () => Promise<string> };
  /** Resolves when the engine has read its dictionary, or does not answer. */
  warmUp(db: Db, indexWithinMs: number): Promise<void>;
  mirror(db: Db, watch?: LoopWatch): Mirror;
  verify(db: Db, stop: AbortSignal): Promise<void>;
  /** All contents at once, by the address of each of several hosts; null: it has no index yet. */
  verifyAll(db: Db, stop: AbortSignal): Promise<ReadonlyMap<string, VerifyReport | null>>;
  status(db: Db): Promise<MirrorStatus>;
  placement(db: Db): Promise<PlacementStatus>;
  startRebuild(db: Db | Tx): Promise<string>;
}

/** Wait for the engine; otherwise the API would answer its first searches from Postgres. */
const warmUpMs = 15_000;
const healthMs = 1000;

export function createSearchBackend(
  config: Config,
  resources: Pick<Resources, "engine" | "meili">,
  runtime: Runtime,
): SearchBackend {
  return config.meiliHosts.length > 1
    ? ofSeveralHosts(config, resources, runtime)
    : ofOneHost(config, resources, runtime);
}

function ofOneHost(
  config: Config,
  { engine, meili }: Pick<Resources, "engine" | "meili">,
  { clock, logger, signal }: Runtime,
): SearchBackend {
  return {
    search: () => ({ engine }),
    warmUp: (db, indexWithinMs) =>
      warmUp({
        db,
        engine: createEngine({ ...meili, clock, searchTimeoutMs: warmUpMs }),
        clock,
        signal,
        indexWithinMs,
      }),
    mirror(db) {
      const mirror = createMirror({ db, clock, logger, engine, embedder: config.embedder });
      let hasForgotten = false;
      return {
        ...mirror,
        async step(stop) {
          hasForgotten ||= await forgetAllHosts(db, defaultIndexPrefix);
          return mirror.step(stop);
        },
      };
    },
    verify: (db, stop) => verifyShare({ db, engine, clock, logger }, stop),
    verifyAll: async (db, stop) =>
      new Map([["", await verifyMirror({ db, engine, clock, logger }, stop)]]),
    status: (db) => readMirrorStatus(db, clock.now()),
    placement: async () => oneHostPlacement,
    startRebuild: (db) => startRebuild(db),
  };
}

function ofSeveralHosts(
  { meiliHosts: urls, searchCopies: copies, embedder }: Config,
  { meili: { apiKey } }: Pick<Resources, "meili">,
  { clock, logger }: Runtime,
): SearchBackend {
  const enginesWith = (limits: { searchTimeoutMs?: number; writeTimeoutMs?: number }) =>
    enginesByUrl(urls, (host) => createEngine({ host, apiKey, clock, ...limits }));
  const engineOf = enginesWith({});
  const healthOf = enginesWith({ writeTimeoutMs: healthMs });
  return {
    search(db, cache, registry) {
      const requests = new Counter({
        name: "kurabe_search_host_requests_total",
        help: "Requests of searches to each of several search hosts",
        labelNames: ["host", "outcome"],
        registers: [registry],
      });
      const cluster = createCluster({
        clock,
        readRoute: createRoute(db, cache, defaultIndexPrefix),
        engineOf,
        probe: warmUpQuery,
        onAnswer: (host, outcome: HostOutcome) => requests.inc({ host, outcome }),
      });
      const engine = engineOf(plainUrl(urls[0] ?? ""));
      const growing = createGrowingCluster(cluster, {
        db,
        engine,
        indexPrefix: defaultIndexPrefix,
      });
      return { engine: growing, servingIndex: growing.servingIndexes };
    },
    async warmUp(db) {
      const { hosts } = await readRoute(db, defaultIndexPrefix);
      const patient = enginesWith({ searchTimeoutMs: warmUpMs });
      await Promise.allSettled(
        hosts.map(({ url, indexUid }) => patient(url).search(indexUid, warmUpQuery)),
      );
    },
    mirror: (db, watch) =>
      createHostMirrors({ db, clock, logger, engineOf, urls, copies, embedder, watch }),
    verify: (db, stop) => verifyHosts({ db, engineOf, clock, logger }, stop),
    verifyAll: (db, stop) => verifyAllHosts({ db, engineOf, clock, logger }, stop),
    status: (db) => readMirrorStatus(db, clock.now(), allHostsPrefix(defaultIndexPrefix)),
    placement: (db) =>
      readPlacement({
        db,
        now: clock.now(),
        async isUp(url) {
          const [asked] = await Promise.allSettled([healthOf(url).health()]);
          return asked.status === "fulfilled";
        },
      }),
    startRebuild: (db) => startHostRebuilds(db),
  };
}

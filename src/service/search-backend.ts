import { Counter, type Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Db, Tx } from "../db/open.ts";
import type { Cache } from "../lib/cache.ts";
import type { LoopWatch } from "../lib/loop.ts";
import { createCluster } from "../search/cluster/cluster.ts";
import type { HostOutcome } from "../search/cluster/host-requests.ts";
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
import { forgetAllHosts, forgetOtherNames, plainUrl } from "../search/cluster/plan.ts";
import { createRoute, readRoute } from "../search/cluster/route.ts";
import { createEngine, type SearchEngine } from "../search/engine/engine.ts";
import { allHostsPrefix } from "../search/mirror/indexes/hosts.ts";
import { createMirror, type Mirror } from "../search/mirror/mirror.ts";
import { startRebuild } from "../search/mirror/rebuild.ts";
import { readMirrorStatus, type MirrorStatus } from "../search/mirror/status.ts";
import { verifyMirror, verifyShare, type Verdict } from "../search/mirror/proof/verify.ts";
import { warmUp, warmUpQuery } from "../search/query/warm-up.ts";
import type { Resources, Runtime } from "./resources.ts";

/** What depends on whether there are one or several search hosts. */
export interface SearchBackend {
  /** `db` must not be a replica: a host that lost its index is not to be searched a second later. */
  search(
    db: Db,
    cache: Cache,
    registry: Registry,
  ): { engine: SearchEngine; indexPrefix: string; servingIndex?: () => Promise<string> };
  /** Resolves when the engine has read its dictionary, or does not answer. */
  warmUp(db: Db, indexWithinMs: number): Promise<void>;
  mirror(db: Db, watch?: LoopWatch): Mirror;
  verify(db: Db, stop: AbortSignal): Promise<void>;
  /** `verifyMirror`, by the address of each of several hosts. */
  verifyAll(db: Db, stop: AbortSignal): Promise<ReadonlyMap<string, Verdict>>;
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

/** Its first steps forget what `isForgotten` says is still there. */
function forgetting(mirror: Mirror, isForgotten: () => Promise<boolean>): Mirror {
  let isDone = false;
  return {
    ...mirror,
    async step(stop) {
      isDone ||= await isForgotten();
      return mirror.step(stop);
    },
  };
}

function ofOneHost(
  { indexPrefix, embedder }: Config,
  { engine, meili }: Pick<Resources, "engine" | "meili">,
  { clock, logger, signal }: Runtime,
): SearchBackend {
  return {
    search: () => ({ engine, indexPrefix }),
    warmUp: (db, indexWithinMs) =>
      warmUp({
        db,
        engine: createEngine({ ...meili, clock, searchTimeoutMs: warmUpMs }),
        clock,
        signal,
        indexPrefix,
        indexWithinMs,
      }),
    mirror: (db) =>
      forgetting(
        createMirror({ db, clock, logger, engine, indexPrefix, embedder }),
        async () =>
          (await forgetOtherNames(db, indexPrefix)) && (await forgetAllHosts(db, indexPrefix)),
      ),
    verify: (db, stop) => verifyShare({ db, engine, clock, logger, indexPrefix }, stop),
    verifyAll: async (db, stop) =>
      new Map([
        ["", await verifyMirror({ db, engine, clock, logger, indexPrefix, embedder }, stop)],
      ]),
    status: (db) => readMirrorStatus(db, indexPrefix),
    placement: async () => oneHostPlacement,
    startRebuild: (db) => startRebuild(db, indexPrefix),
  };
}

function ofSeveralHosts(
  { meiliHosts: urls, searchCopies: copies, indexPrefix, embedder }: Config,
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
        readRoute: createRoute(db, cache, indexPrefix),
        engineOf,
        probe: warmUpQuery,
        onAnswer: (host, outcome: HostOutcome) => requests.inc({ host, outcome }),
      });
      const engine = engineOf(plainUrl(urls[0] ?? ""));
      const growing = createGrowingCluster(cluster, { db, engine, indexPrefix });
      return { engine: growing, indexPrefix, servingIndex: growing.servingIndexes };
    },
    async warmUp(db) {
      const hosts = await readRoute(db, indexPrefix);
      const patient = enginesWith({ searchTimeoutMs: warmUpMs });
      await Promise.allSettled(
        hosts.map(({ url, indexUid }) => patient(url).search(indexUid, warmUpQuery)),
      );
    },
    mirror: (db, watch) =>
      forgetting(
        createHostMirrors({
          db,
          clock,
          logger,
          engineOf,
          urls,
          copies,
          indexPrefix,
          embedder,
          watch,
        }),
        () => forgetOtherNames(db, indexPrefix),
      ),
    verify: (db, stop) => verifyHosts({ db, engineOf, clock, logger, indexPrefix }, stop),
    verifyAll: (db, stop) =>
      verifyAllHosts({ db, engineOf, clock, logger, indexPrefix, embedder }, stop),
    status: (db) => readMirrorStatus(db, allHostsPrefix(indexPrefix)),
    placement: (db) =>
      readPlacement({
        db,
        indexPrefix,
        async isUp(url) {
          const [asked] = await Promise.allSettled([healthOf(url).health()]);
          return asked.status === "fulfilled";
        },
      }),
    startRebuild: (db) => startHostRebuilds(db, indexPrefix),
  };
}

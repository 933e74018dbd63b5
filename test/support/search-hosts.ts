import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { inject } from "vitest";
import type { Db } from "../../src/db/open.ts";
import { findMeilisearch } from "../../src/embedded/platform.ts";
import { createCache } from "../../src/lib/cache.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
} from "../../src/search/cluster/cluster.ts";
import { createHostMirrors, enginesByUrl } from "../../src/search/cluster/host-mirrors.ts";
import { createRoute } from "../../src/search/cluster/route.ts";
import { createEngine } from "../../src/search/engine/engine.ts";
import { warmUpQuery } from "../../src/search/query/warm-up.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export const apiKey = "the-key-of-the-search-hosts-of-the-tests";

/** A Meilisearch process of the test's own. */
export interface SearchHost {
  url: string;
  /** As if the machine had lost power. */
  kill(): Promise<void>;
  /** On the same address; `wipe`: without its data. */
  restart(wipe?: "wipe"): Promise<void>;
  /** It keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
}

export async function startSearchHost(): Promise<SearchHost> {
  const folder = await mkdtemp(join(inject("runDir"), "search-host-"));
  const binary = await findMeilisearch();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const db = join(folder, "db");
  let child: ChildProcess;

  async function start(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const flags = `--env production --http-addr 127.0.0.1:${port} --max-indexing-threads 1 --max-indexing-memory 128MiB`;
    child = spawn(
      binary,
      [...flags.split(" "), "--no-analytics", "--log-level", "WARN", "--db-path", db],
      { cwd: folder, stdio: "ignore", env: { MEILI_MASTER_KEY: apiKey } },
    );
    await until(async () => (await fetch(`${url}/health`)).ok, { what: "a search host to answer" });
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  await start();
  return {
    url,
    kill,
    async restart(wipe) {
      await kill();
      if (wipe) await rename(db, `${db}.wiped-${performance.now()}`);
      await start();
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}

export interface TestCluster {
  cluster: Cluster;
  /** Replaces the worker, as a restart with another `MEILI_HOST` does. */
  restart(urls: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export const engineOf = enginesByUrl([], (host) =>
  // A long timeout for writes only: the machine is busy.
  createEngine({ host, apiKey, clock: systemClock, writeTimeoutMs: 30_000 }),
);

/** A worker that places and mirrors `db` on these hosts with two copies, and a cluster that searches them. */
export function openTestCluster(
  db: Db,
  options: {
    indexPrefix: string;
    urls: readonly string[];
    copies?: number;
    over?: Partial<ClusterOptions>;
  },
): TestCluster {
  const { indexPrefix, copies = 2 } = options;
  const clock = systemClock;
  const logger = pino({ level: process.env.TEST_LOG ?? "silent" });

  function work(urls: readonly string[]) {
    const stopping = new AbortController();
    const mirrors = createHostMirrors({
      db,
      clock,
      logger,
      engineOf,
      urls,
      copies,
      indexPrefix,
      checkEveryMs: 500,
      leaveAfterMs: 3000,
      everyMs: 250,
    });
    const { signal } = stopping;
    const done = runLoop({ name: "mirrors", clock, logger, signal, step: mirrors.step });
    return async () => {
      stopping.abort();
      await done;
      await mirrors.release();
    };
  }

  let stop = work(options.urls);
  const cluster = createCluster({
    clock,
    readRoute: createRoute(db, createCache(clock), indexPrefix),
    engineOf,
    probe: warmUpQuery,
    ...options.over,
  });
  return {
    cluster,
    async restart(urls) {
      await stop();
      stop = work(urls);
    },
    close: () => stop(),
  };
}

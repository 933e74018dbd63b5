import type { Config } from "../config.ts";
import { openDb, type Db, type DbOptions } from "../db/open.ts";
import { SchemaError } from "../db/migrate.ts";
import { databaseErrorCode } from "../db/transact.ts";
import { openEmbedded } from "../embedded/open.ts";
import type { Clock } from "../lib/clock.ts";
import { createBackoff } from "../lib/backoff.ts";
import type { Logger } from "../lib/logger.ts";
import { makeFolder, unusable } from "../lib/files.ts";
import { must } from "../lib/must.ts";
import { SandboxInUse } from "../sandbox/state/postgres-journal.ts";
import { createEngine, type Engine } from "../search/engine/engine.ts";
import { startLoop } from "../lib/loop.ts";

export interface Resources {
  /** Leads to Postgres itself, also where the pools go through a pooler. */
  databaseUrl: string;
  meili: { host: string; apiKey: string };
  engine: Engine;
  pool(name: string, limits: PoolLimits): Db;
  /** null: no replica is set. */
  replicaPool: ((name: string, limits: PoolLimits) => Db) | null;
  close(): Promise<void>;
}

export type PoolLimits = Pick<
  DbOptions,
  "maxConnections" | "statementTimeoutMs" | "lockTimeoutMs" | "silenceMs"
>;

export interface Runtime {
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}

/** The configured Postgres and Meilisearch, or else the embedded ones under DATA_DIR. */
export async function openResources(config: Config, runtime: Runtime): Promise<Resources> {
  await makeFolder(config.dataDir).catch((error: unknown) => {
    throw unusable(config.dataDir, error);
  });
  const embedded = await openEmbedded({
    dataDir: config.dataDir,
    postgres: config.databaseUrl === null,
    meilisearch: config.meiliHost === null,
    ...runtime,
  });
  const databaseUrl = must(config.databaseUrl ?? embedded.databaseUrl, "a database");
  const meili = embedded.meili ?? {
    host: must(config.meiliHost, "a search engine"),
    apiKey: config.meiliApiKey ?? "",
  };
  const closers: (() => Promise<void>)[] = [];
  const { databasePoolerUrl: pooler, databaseReplicaUrl: replica } = config;
  const open = (url: string, name: string, limits: PoolLimits) => {
    const pooled = url === pooler;
    const opened = openDb({ url, applicationName: `kurabe:${name}`, pooled, ...limits });
    closers.push(opened.close);
    return opened.db;
  };
  return {
    databaseUrl,
    meili,
    engine: createEngine({ host: meili.host, apiKey: meili.apiKey, clock: runtime.clock }),
    pool: (name, limits) => open(pooler ?? databaseUrl, name, limits),
    replicaPool: replica === null ? null : (name, limits) => open(replica, name, limits),
    async close() {
      await Promise.allSettled(closers.map((close) => close()));
      await embedded.close();
    },
  };
}

/**
 * Repeats `work` until the database allows it. Throws for a failure that waiting cannot repair, and
 * with the signal's reason after an abort.
 */
export async function whenReachable<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const { clock, logger, signal } = runtime;
  const backoff = createBackoff({ firstMs: 250, maxMs: 10_000 });
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (isHopeless(error)) throw error;
      const pauseMs = backoff.nextMs();
      logger.warn(
        { err: error, retryInMs: Math.round(pauseMs) },
        "the database does not answer yet",
      );
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** A foreign schema, a value that the database cannot read (class 22), and failures outside the database. */
function isHopeless(error: unknown): boolean {
  // The sandbox's address is not known yet: it is starting, or its end has not been noticed.
  if (error instanceof SandboxInUse) return false;
  const code = databaseErrorCode(error);
  return error instanceof SchemaError || code === null || code.startsWith("22");
}

/**
 * Does the same every few seconds while the database is ready. The result does it once more and stops,
 * so that nothing counted is lost.
 */
export function repeat(options: {
  name: string;
  everyMs: number;
  work(): Promise<void>;
  runtime: Pick<Runtime, "clock" | "logger">;
  isReady(): boolean;
}): () => Promise<void> {
  const { name, everyMs, work, isReady } = options;
  const { clock, logger } = options.runtime;
  const step = async () => {
    if (isReady()) await work();
    return everyMs;
  };
  const stop = startLoop({ name, clock, logger, step });
  return async () => {
    await stop();
    await Promise.allSettled([step()]);
  };
}

import { mkdir } from "node:fs/promises";
import type { Config } from "../config.ts";
import { openDb, type Db, type DbOptions } from "../db/open.ts";
import { migrateDb, SchemaError } from "../db/migrate.ts";
import { databaseErrorCode } from "../db/transact.ts";
import { openEmbedded } from "../embedded/open.ts";
import type { Clock } from "../lib/clock.ts";
import { createBackoff } from "../lib/backoff.ts";
import type { Logger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";
import { SandboxInUse } from "../sandbox/state/postgres-journal.ts";
import { createEngine, type Engine } from "../search/engine/engine.ts";

export interface Resources {
  databaseUrl: string;
  meili: { host: string; apiKey: string };
  engine: Engine;
  /** A pool of its own for each use. */
  pool(name: string, limits: PoolLimits): Db;
  /** A pool that only reads: of the replica, where one is set. */
  readPool(name: string, limits: PoolLimits): Db;
  close(): Promise<void>;
}

type PoolLimits = Pick<DbOptions, "maxConnections" | "statementTimeoutMs">;

export interface Runtime {
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}

/** Postgres and Meilisearch: those configured, else our own under DATA_DIR. */
export async function openResources(config: Config, around: Runtime): Promise<Resources> {
  await mkdir(config.dataDir, { recursive: true });
  const embedded = await openEmbedded({
    dataDir: config.dataDir,
    postgres: config.databaseUrl === null,
    meilisearch: config.meiliHost === null,
    ...around,
  });
  const databaseUrl = must(config.databaseUrl ?? embedded.databaseUrl, "a database");
  const meili = embedded.meili ?? {
    host: must(config.meiliHost, "a search engine"),
    apiKey: config.meiliApiKey ?? "",
  };
  const closers: (() => Promise<void>)[] = [];
  const open = (url: string, name: string, limits: PoolLimits) => {
    const opened = openDb({ url, applicationName: `kurabe:${name}`, ...limits });
    closers.push(opened.close);
    return opened.db;
  };
  return {
    databaseUrl,
    meili,
    engine: createEngine({ host: meili.host, apiKey: meili.apiKey, clock: around.clock }),
    pool: (name, limits) => open(databaseUrl, name, limits),
    readPool: (name, limits) => open(config.databaseReplicaUrl ?? databaseUrl, name, limits),
    async close() {
      await Promise.allSettled(closers.map((close) => close()));
      await embedded.close();
    },
  };
}

/** Migrates as soon as the database answers; see `whenReachable`. */
export function migrateWhenReachable(databaseUrl: string, around: Runtime): Promise<void> {
  return whenReachable(around, () => migrateDb(databaseUrl));
}

/**
 * Does `work`, which may be begun any number of times, as soon as the database lets it. Gives up on
 * a failure that no waiting mends, and with the signal's reason when that aborts.
 */
export async function whenReachable<T>(around: Runtime, work: () => Promise<T>): Promise<T> {
  const { clock, logger, signal } = around;
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

/** A schema that is not ours, a value the database cannot read (class 22), and what is no failure of it. */
function isHopeless(error: unknown): boolean {
  // Not yet said where it answers: it is on its start, or its connection has yet to be missed.
  if (error instanceof SandboxInUse) return false;
  const code = databaseErrorCode(error);
  return error instanceof SchemaError || code === null || code.startsWith("22");
}

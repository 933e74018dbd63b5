import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { CliContext } from "./context.ts";
import { loadConfig } from "../config.ts";
import { migrateDb } from "../db/migrate.ts";
import { openDb, type Db } from "../db/open.ts";
import { openEmbedded } from "../embedded/open.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";

export interface ScratchServer {
  /** Runs `work` with a migrated, empty database, and then drops the database. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Fast but unsafe settings: these data need not survive a crash. */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * Provides databases for benchmarks, on a temporary server or on that of DATABASE_URL. Opens the
 * server for the first database.
 */
export async function withScratchServer<T>(
  context: CliContext,
  work: (server: ScratchServer) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = loadConfig(context.env);
  const closers: (() => Promise<unknown>)[] = [];
  const openOnce = async () => {
    const url = databaseUrl ?? (await openServer(context.signal, closers));
    const { db, close } = open(url);
    closers.push(close);
    return { db, url };
  };
  let server: ReturnType<typeof openOnce> | undefined;
  try {
    return await work({
      async withDatabase(use) {
        const { db, url } = await (server ??= openOnce());
        return withDatabase(db, url, use);
      },
    });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function openServer(
  signal: AbortSignal,
  closers: (() => Promise<unknown>)[],
): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "kurabe-bench-"));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  const servers = await openEmbedded({
    dataDir,
    postgres: true,
    meilisearch: false,
    clock,
    logger: createLogger({ level: "warn", format: "json" }),
    signal,
    postgresSettings: settings,
  });
  closers.push(servers.close);
  return must(servers.databaseUrl, "a database");
}

async function withDatabase<T>(
  server: Db,
  serverUrl: string,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const name = `kurabe_bench_${randomBytes(4).toString("hex")}`;
  await server.execute(sql.raw(`create database ${name}`));
  try {
    await server.execute(sql.raw(`alter database ${name} set synchronous_commit = off`));
    const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
    await migrateDb(url);
    const { db, close } = open(url);
    try {
      return await work(db);
    } finally {
      await close();
    }
  } finally {
    await server.execute(sql.raw(`drop database ${name} with (force)`));
  }
}

function open(url: string) {
  return openDb({
    url,
    applicationName: "kurabe:bench",
    maxConnections: 4,
    statementTimeoutMs: 3_600_000,
  });
}

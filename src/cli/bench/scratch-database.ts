import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sql } from "drizzle-orm";
import type { CliContext } from "../context.ts";
import { openDatabase } from "../database.ts";
import { migrateDb } from "../../db/migrate.ts";
import { openDb, type Db } from "../../db/open.ts";

export interface ScratchServer {
  /** Runs `work` with a migrated, empty database, and then drops the database. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` with the migrated database of this name, which stays. If it is not there, or its filling
   * did not end, it is made anew and filled.
   */
  withFilledDatabase<T>(
    name: string,
    fill: (db: Db) => Promise<void>,
    work: (db: Db) => Promise<T>,
  ): Promise<T>;
}

export interface ScratchOptions {
  /** Folder of the server's data, which stays; null: a temporary one. Without DATABASE_URL. */
  keep: string | null;
  /** Settings of Postgres besides the fast and unsafe ones. */
  postgresSettings: Record<string, string>;
  /** Called with what the server tells besides its answers. */
  onNotice?: ((message: string) => void) | undefined;
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
  { keep, postgresSettings, onNotice }: ScratchOptions = { keep: null, postgresSettings: {} },
): Promise<T> {
  const closers: (() => Promise<unknown>)[] = [];
  const openOnce = async () => {
    const dataDir = keep ? resolve(keep) : await mkdtemp(join(tmpdir(), "kurabe-bench-"));
    if (!keep) closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const own = { dataDir, postgresSettings: { ...settings, ...postgresSettings } };
    const server = await openDatabase(context, own);
    closers.push(server.close);
    const { db, close } = open(server.url);
    closers.push(close);
    return { db, url: server.url };
  };
  let server: ReturnType<typeof openOnce> | undefined;
  try {
    return await work({
      async withDatabase(use) {
        const { db, url } = await (server ??= openOnce());
        const name = `kurabe_bench_${randomBytes(4).toString("hex")}`;
        await makeDatabase(db, name);
        try {
          return await withMigrated(urlOf(url, name), use);
        } finally {
          await db.execute(sql.raw(`drop database ${name} with (force)`));
        }
      },
      async withFilledDatabase(name, fill, use) {
        const { db, url } = await (server ??= openOnce());
        const [row] = await db.execute<{ filled: boolean }>(sql`
          select shobj_description(oid, 'pg_database') = 'filled' as filled from pg_database where datname = ${name}`);
        if (!row?.filled) {
          await db.execute(sql.raw(`drop database if exists ${name} with (force)`));
          await makeDatabase(db, name);
          await withMigrated(urlOf(url, name), fill);
          await db.execute(sql.raw(`comment on database ${name} is 'filled'`));
        }
        return withMigrated(urlOf(url, name), use, onNotice);
      },
    });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function makeDatabase(server: Db, name: string): Promise<void> {
  await server.execute(sql.raw(`create database ${name}`));
  await server.execute(sql.raw(`alter database ${name} set synchronous_commit = off`));
}

function urlOf(serverUrl: string, database: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
}

async function withMigrated<T>(
  url: string,
  work: (db: Db) => Promise<T>,
  onNotice?: ScratchOptions["onNotice"],
): Promise<T> {
  await migrateDb(url);
  const { db, close } = open(url, onNotice);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

function open(url: string, onNotice?: ScratchOptions["onNotice"]) {
  return openDb({
    url,
    ...(onNotice ? { onNotice } : {}),
    applicationName: "kurabe:bench",
    maxConnections: 4,
    statementTimeoutMs: 3_600_000,
  });
}

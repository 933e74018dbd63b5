import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { openDb } from "../src/db/open.ts";
import { openEmbedded, type Embedded, type EmbeddedOptions } from "../src/embedded/open.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createLogger } from "../src/lib/logger.ts";
import { must } from "../src/lib/must.ts";

interface ScratchServers {
  /** A folder for the script's own files, removed afterwards. */
  dir: string;
  databaseUrl: string;
  meili: { host: string; apiKey: string };
}

/** Runs `work` with an empty Postgres and Meilisearch of its own, and removes both. */
export async function withServers<T>(
  work: (servers: ScratchServers) => Promise<T>,
  indexingThreads?: number,
): Promise<T> {
  return withEmbedded(
    { meilisearch: true, ...(indexingThreads && { indexingThreads }) },
    ({ databaseUrl, meili }, dir) =>
      work({
        dir,
        databaseUrl: must(databaseUrl, "a database"),
        meili: must(meili, "a search engine"),
      }),
  );
}

/** The same with Postgres alone; `postgresSettings` override ours. */
export async function withPostgres<T>(
  work: (databaseUrl: string) => Promise<T>,
  postgresSettings: Record<string, string> = {},
): Promise<T> {
  return withEmbedded({ meilisearch: false, postgresSettings }, ({ databaseUrl }) =>
    work(must(databaseUrl, "a database")),
  );
}

/** The database of so many products that `kurabe bench scale --keep FOLDER` left. */
export async function withScaleDatabase<T>(
  folder: string,
  products: number,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const servers = await openEmbedded({
    dataDir: folder,
    postgres: true,
    meilisearch: false,
    clock: systemClock,
    logger: createLogger({ level: "warn", format: "json" }),
    postgresSettings: { fsync: "off", shared_buffers: "1GB", max_wal_size: "8GB" },
  });
  try {
    const url = new URL(must(servers.databaseUrl, "a database"));
    url.pathname = `/kurabe_scale_${products}`;
    return await work(url.href);
  } finally {
    await servers.close();
  }
}

/** A copy of the database, so that it stays as it is. */
export async function withCopy<T>(
  databaseUrl: string,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  const copy = `${name}_copy`;
  const admin = openDb({
    url: Object.assign(new URL(databaseUrl), { pathname: "/postgres" }).href,
    applicationName: "kurabe:bench",
    maxConnections: 1,
    statementTimeoutMs: 3_600_000,
  });
  const drop = () => admin.db.execute(sql.raw(`drop database if exists ${copy} with (force)`));
  try {
    await drop();
    await admin.db.execute(sql.raw(`create database ${copy} template ${name}`));
    url.pathname = `/${copy}`;
    return await work(url.href);
  } finally {
    await drop();
    await admin.close();
  }
}

async function withEmbedded<T>(
  options: Pick<EmbeddedOptions, "meilisearch" | "postgresSettings" | "indexingThreads">,
  work: (servers: Embedded, dir: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "kurabe-script-"));
  try {
    const servers = await openEmbedded({
      ...options,
      dataDir: dir,
      postgres: true,
      clock: systemClock,
      logger: createLogger({ level: "warn", format: "json" }),
    });
    try {
      return await work(servers, dir);
    } finally {
      await servers.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

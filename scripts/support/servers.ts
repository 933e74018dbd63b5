import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { openDb } from "../../src/db/open.ts";
import { openEmbedded, type EmbeddedOptions } from "../../src/embedded/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { closing } from "./closing.ts";

export const logger = createLogger({ level: "warn", format: "json" });
export const say = (line: string) => void process.stdout.write(`${line}\n`);
export const print = (line: Record<string, unknown>) => say(JSON.stringify(line));

export interface ScratchServers {
  /** A folder for the script's own files, removed afterwards. */
  dir: string;
  databaseUrl: string;
  meili: { host: string; apiKey: string };
}

/** Runs `work` with an empty Postgres and Meilisearch of its own, and removes both. */
export function withServers<T>(
  work: (servers: ScratchServers) => Promise<T>,
  indexingThreads?: number,
): Promise<T> {
  return inFolder((dir) =>
    withEmbedded(
      { dataDir: dir, meilisearch: true, ...(indexingThreads && { indexingThreads }) },
      (databaseUrl, meili) => work({ dir, databaseUrl, meili: must(meili, "a search engine") }),
    ),
  );
}

export function openScriptDb(url: string) {
  return openDb({
    url,
    applicationName: "kurabe:script",
    maxConnections: 6,
    statementTimeoutMs: 3_600_000,
  });
}

/** The database of so many products that `kurabe bench scale --keep FOLDER` left. */
export function withScaleDatabase<T>(
  folder: string,
  products: number,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const postgresSettings = { fsync: "off", shared_buffers: "1GB", max_wal_size: "8GB" };
  return withEmbedded({ dataDir: folder, postgresSettings }, (databaseUrl) =>
    work(urlOf(databaseUrl, `kurabe_scale_${products}`)),
  );
}

/** A copy of the database, so that it stays as it is. */
export async function withCopy<T>(
  databaseUrl: string,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const copy = `${name}_copy`;
  const admin = openScriptDb(urlOf(databaseUrl, "postgres"));
  const drop = () => admin.db.execute(sql.raw(`drop database if exists ${copy} with (force)`));
  const close = async () => {
    await drop();
    await admin.close();
  };
  return closing(close, async () => {
    await drop();
    await admin.db.execute(sql.raw(`create database ${copy} template ${name}`));
    return work(urlOf(databaseUrl, copy));
  });
}

function urlOf(databaseUrl: string, name: string): string {
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
}

/** Runs `work` with a folder of its own, and removes it. */
export async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "kurabe-script-"));
  return closing(
    () => rm(dir, { recursive: true, force: true }),
    () => work(dir),
  );
}

async function withEmbedded<T>(
  options: Partial<EmbeddedOptions> & { dataDir: string },
  work: (databaseUrl: string, meili: ScratchServers["meili"] | null) => Promise<T>,
): Promise<T> {
  const servers = await openEmbedded({
    meilisearch: false,
    ...options,
    postgres: true,
    clock: systemClock,
    logger,
  });
  return closing(servers.close, () => work(must(servers.databaseUrl, "a database"), servers.meili));
}

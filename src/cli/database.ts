import { existsSync } from "node:fs";
import { join } from "node:path";
import { configOf, type CliContext } from "./context.ts";
import type { Config } from "../config.ts";
import { migrateDb, SchemaError, type MigrateOptions } from "../db/migrate.ts";
import { openEmbedded } from "../embedded/open.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { toErrorMessage } from "../lib/logged-error.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";
import { UsageError } from "../lib/arguments.ts";

/** There is no database yet: an embedded one would be made, and be empty. */
export function lacksDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === null && !existsSync(join(dataDir, "postgres"));
}

/** For what copies a database: another folder than that of the start has none. */
export function refuseMissing(context: CliContext): void {
  const config = configOf(context);
  if (!lacksDatabase(config)) return;
  const { dataDir } = config;
  throw new UsageError(
    `no database: DATABASE_URL is not set, and ${dataDir} has none; run this where Kurabe is started, or set DATA_DIR`,
  );
}

/** The database of DATABASE_URL, else the embedded one under `dataDir` (DATA_DIR unless told). */
export async function openDatabase(
  context: CliContext,
  options: { dataDir?: string; postgresSettings?: Record<string, string> } = {},
): Promise<{ url: string; config: Config; close(): Promise<void> }> {
  const config = configOf(context);
  const servers = await openEmbedded({
    dataDir: config.dataDir,
    postgres: config.databaseUrl === null,
    meilisearch: false,
    clock,
    logger: createLogger({ ...config.log, fd: 2 }),
    signal: context.signal,
    ...options,
  });
  const url = must(config.databaseUrl ?? servers.databaseUrl, "a database");
  return { url, config, close: servers.close };
}

/** Runs `work` with that database, brought to this version's schema. */
export async function withDatabase<T>(
  context: CliContext,
  work: (url: string, config: Config) => Promise<T>,
): Promise<T> {
  const { url, config, close } = await openDatabase(context);
  try {
    await migrateNow(url, context);
    return await work(url, config);
  } finally {
    await close();
  }
}

/** A command says that the database is away; only what runs on, and `migrate`, wait for it. */
export async function migrateNow(url: string, options: MigrateOptions): Promise<void> {
  try {
    await migrateDb(url, options);
  } catch (error) {
    if (error instanceof SchemaError || options.signal?.aborted) throw error;
    const message = `the database cannot be used: ${toErrorMessage(error)}; kurabe doctor checks it`;
    throw new Error(message, { cause: error });
  }
}

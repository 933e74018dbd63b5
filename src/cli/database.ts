import { mkdir } from "node:fs/promises";
import { configOf, type CliContext } from "./context.ts";
import { loadConfig, type Config } from "../config.ts";
import { migrateDb } from "../db/migrate.ts";
import { openEmbedded } from "../embedded/open.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";

/** Runs `work` with the database of DATABASE_URL, else with the embedded one, brought to this version's schema. */
export async function withDatabase<T>(
  context: CliContext,
  work: (url: string, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(context);
  const servers = await openEmbedded({
    dataDir: config.dataDir,
    postgres: config.databaseUrl === null,
    meilisearch: false,
    clock,
    logger: createLogger(config.log),
    signal: context.signal,
  });
  try {
    const url = must(config.databaseUrl ?? servers.databaseUrl, "a database");
    await migrateDb(url);
    return await work(url, config);
  } finally {
    await servers.close();
  }
}

/** Starts the embedded Postgres for a sandbox that keeps its state, if no DATABASE_URL is set. */
export async function openDatabase({
  env,
  signal,
}: CliContext): Promise<{ url: string; close(): Promise<void> }> {
  const { dataDir } = loadConfig(env);
  await mkdir(dataDir, { recursive: true });
  const embedded = await openEmbedded({
    dataDir,
    postgres: true,
    meilisearch: false,
    clock,
    logger: createLogger({ level: "warn", format: "json" }),
    signal,
  });
  return { url: must(embedded.databaseUrl, "the embedded database"), close: embedded.close };
}

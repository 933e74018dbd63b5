import { mkdir } from "node:fs/promises";
import type { CliContext } from "./context.ts";
import { loadConfig } from "../config.ts";
import { openEmbedded } from "../embedded/open.ts";
import { systemClock } from "../lib/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";

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
    clock: systemClock,
    logger: createLogger({ level: "warn", format: "json" }),
    signal,
  });
  return { url: must(embedded.databaseUrl, "the embedded database"), close: embedded.close };
}

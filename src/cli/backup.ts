import { resolve } from "node:path";
import type { CliContext } from "./context.ts";
import { loadConfig } from "../config.ts";
import { backUp, restore, type BackupManifest } from "../db/backup.ts";
import { migrateDb } from "../db/migrate.ts";
import { openEmbedded } from "../embedded/open.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";
import { UsageError } from "../lib/usage-error.ts";

export function runBackup(args: string[], context: CliContext): Promise<number> {
  const folder = onlyFolder(args);
  return withDatabase(context, (url) => backUp(url, folder, clock.now()));
}

export function runRestore(args: string[], context: CliContext): Promise<number> {
  const folder = onlyFolder(args);
  return withDatabase(context, (url) => restore(url, folder));
}

async function withDatabase(
  context: CliContext,
  work: (url: string) => Promise<BackupManifest>,
): Promise<number> {
  const config = loadConfig(context.env, { isTerminal: context.stderr.isTTY ?? false });
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
    const { tables, madeAt } = await work(url);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    context.stdout.write(`${tables.length} tables, ${rows} rows, as of ${madeAt}\n`);
    return 0;
  } finally {
    await servers.close();
  }
}

function onlyFolder(args: string[]): string {
  const [folder, ...rest] = args;
  if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
    throw new UsageError("expected one argument: the backup's folder");
  }
  return resolve(folder);
}

import { parseArgs } from "node:util";
import { resolve } from "node:path";
import type { CliContext } from "./context.ts";
import { loadConfig, type Config } from "../config.ts";
import { callsToday } from "../crawl/budget/calls-today.ts";
import { acceptLostTransactions, backUp, restore, type BackupManifest } from "../db/backup.ts";
import { migrateDb } from "../db/migrate.ts";
import { openEmbedded } from "../embedded/open.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { toErrorMessage } from "../lib/logged-error.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";
import { UsageError } from "../lib/usage-error.ts";
import { budgetRules } from "../service/service.ts";

export function runBackup(args: string[], context: CliContext): Promise<number> {
  const folder = onlyFolder(args);
  return withDatabase(context, (url) => backUp(url, folder, clock.now()));
}

export async function runRestore(args: string[], context: CliContext): Promise<number> {
  const { folders, calls } = readCallsToday(args);
  const folder = onlyFolder(folders);
  const code = await withDatabase(context, (url, config) =>
    restore(url, folder, callsToday(clock.now(), budgetRules(config), calls)),
  );
  context.stdout.write(toldOf(calls));
  return code;
}

export async function runPromoted(args: string[], context: CliContext): Promise<number> {
  const { folders, calls } = readCallsToday(args);
  if (folders.length > 0) throw new UsageError("promoted takes no arguments but --calls-today N");
  const config = loadConfig(context.env, { isTerminal: context.stderr.isTTY ?? false });
  const made = callsToday(clock.now(), budgetRules(config), calls);
  const url = config.databaseUrl;
  if (url === null)
    throw new UsageError("DATABASE_URL must lead to the Postgres that was promoted");
  await acceptLostTransactions(url, made);
  context.stdout.write(`${toldOf(calls)}readers of /v1/changes begin anew\n`);
  return 0;
}

const toldOf = (calls: number | null) =>
  calls === null
    ? "today's calls count as made, because the latest ones are not known: the crawl goes on with the next day\n"
    : `${calls} calls of today count as made\n`;

async function withDatabase(
  context: CliContext,
  work: (url: string, config: Config) => Promise<BackupManifest>,
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
    const { tables, madeAt } = await work(url, config);
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

const MOST_CALLS = 10_000_000;

function readCallsToday(args: string[]): { folders: string[]; calls: number | null } {
  const { text, folders } = parse(args);
  const calls = text === undefined ? null : Number(text);
  if (calls !== null && !(/^\d+$/.test(text ?? "") && calls <= MOST_CALLS)) {
    throw new UsageError(`--calls-today must be a whole number from 0 to ${MOST_CALLS}`);
  }
  return { folders, calls };
}

function parse(args: string[]): { text: string | undefined; folders: string[] } {
  try {
    const options = { "calls-today": { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { text: values["calls-today"], folders: positionals };
  } catch (error) {
    throw new UsageError(toErrorMessage(error), { cause: error });
  }
}

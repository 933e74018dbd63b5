import { resolve } from "node:path";
import { configOf, type CliContext } from "./context.ts";
import { migrateNow, refuseMissing, withDatabase } from "./database.ts";
import type { Config } from "../config.ts";
import { callsToday } from "../crawl/budget/accounts.ts";
import {
  acceptLostTransactions,
  backUp,
  readManifest,
  restore,
  type BackupManifest,
} from "../db/backup/backup.ts";
import { readOptionsAndRest, UsageError, wholeNumber } from "../lib/arguments.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { writingTo } from "../lib/files.ts";
import { budgetRules } from "../service/from-config.ts";

export function runBackup(args: string[], context: CliContext): Promise<number> {
  const folder = onlyFolder(args);
  refuseMissing(context);
  return report(context, (url) =>
    backUp(url, folder, clock.now(), context.signal).catch((error: unknown) => {
      throw writingTo(folder, error);
    }),
  );
}

export async function runRestore(args: string[], context: CliContext): Promise<number> {
  const { folders, calls } = readCallsToday(args);
  const folder = onlyFolder(folders);
  // Before an embedded database is made for it.
  await readManifest(folder);
  const code = await report(context, (url, config) =>
    restore(url, folder, callsToday(clock.now(), budgetRules(config), calls), context.signal),
  );
  context.stdout.write(toldOf(calls));
  return code;
}

export async function runPromoted(args: string[], context: CliContext): Promise<number> {
  const { folders, calls } = readCallsToday(args);
  if (folders.length > 0) throw new UsageError("promoted takes no arguments but --calls-today N");
  const config = configOf(context);
  const made = callsToday(clock.now(), budgetRules(config), calls);
  const url = config.databaseUrl;
  if (url === null)
    throw new UsageError("DATABASE_URL must lead to the Postgres that was promoted");
  await migrateNow(url, context);
  await acceptLostTransactions(url, made);
  context.stdout.write(`${toldOf(calls)}readers of /v1/changes begin anew\n`);
  return 0;
}

const toldOf = (calls: number | null) =>
  calls === null
    ? "today's calls count as made, because the latest ones are not known: the crawl goes on with the next day\n"
    : `at least ${calls} calls of today count as made\n`;

async function report(
  context: CliContext,
  work: (url: string, config: Config) => Promise<BackupManifest>,
): Promise<number> {
  const { tables, madeAt } = await withDatabase(context, work);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  context.stdout.write(`${tables.length} tables, ${rows} rows, as of ${madeAt}\n`);
  return 0;
}

function onlyFolder(args: string[]): string {
  const [folder, ...rest] = args;
  if (!folder?.trim() || folder.startsWith("-") || rest.length > 0) {
    throw new UsageError("expected one argument: the backup's folder");
  }
  return resolve(folder);
}

const mostCalls = 10_000_000;

function readCallsToday(args: string[]): { folders: string[]; calls: number | null } {
  const { values, positionals: folders } = readOptionsAndRest(args, {
    "calls-today": { type: "string" },
  });
  const text = values["calls-today"];
  const calls = text === undefined ? null : wholeNumber("--calls-today", text, 0, mostCalls);
  return { folders, calls };
}

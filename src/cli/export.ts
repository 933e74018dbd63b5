import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { rememberTimezone } from "../catalog/analytics.ts";
import type { CliContext } from "./context.ts";
import { loadConfig } from "../config.ts";
import { underLease } from "../db/lease.ts";
import { migrateDb } from "../db/migrate.ts";
import { openDb } from "../db/open.ts";
import { openEmbedded } from "../embedded/open.ts";
import { runExport, type ExportFormat } from "../export/run.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { must } from "../lib/must.ts";
import { UsageError } from "../lib/usage-error.ts";

/** `kurabe export`; exit code 1 if it was stopped or another export is running. */
export async function runExportCommand(args: string[], context: CliContext): Promise<number> {
  const { out, formats, days } = readArguments(args);
  const { signal, stdout } = context;
  const config = loadConfig(context.env, { isTerminal: context.stderr.isTTY ?? false });
  const logger = createLogger(config.log);
  const servers = await openEmbedded({
    dataDir: config.dataDir,
    postgres: config.databaseUrl === null,
    meilisearch: false,
    clock,
    logger,
    signal,
  });
  const databaseUrl = must(config.databaseUrl ?? servers.databaseUrl, "a database");
  const { db, close } = openDb({
    url: databaseUrl,
    applicationName: "kurabe:export",
    maxConnections: 2,
    statementTimeoutMs: 60_000,
  });
  try {
    await migrateDb(databaseUrl);
    await rememberTimezone(db, config.storefront.timezone, clock.now());
    const lease = { name: "export", holder: randomUUID(), ttlMs: 30_000 };
    const written = await underLease(db, clock, lease, (_lease, lost) =>
      runExport({
        db,
        databaseUrl,
        clock,
        folder: out ?? join(config.dataDir, "exports"),
        formats,
        ...days,
        signal: AbortSignal.any([signal, lost]),
        onFile: ({ file, rows, bytes }) => stdout.write(`${file}: ${rows} rows, ${bytes} bytes\n`),
      }),
    );
    stdout.write(written === null ? "another export is under way\n" : `${written} files written\n`);
    return written === null || signal.aborted ? 1 : 0;
  } finally {
    await close();
    await servers.close();
  }
}

const FORMATS: readonly string[] = ["parquet", "csv"] satisfies ExportFormat[];
const isFormat = (name: string): name is ExportFormat => FORMATS.includes(name);

function readArguments(args: string[]) {
  const text = { type: "string" } as const;
  const { values } = parse(() =>
    parseArgs({
      args,
      options: { out: text, from: text, to: text, format: { ...text, default: "parquet,csv" } },
    }),
  );
  const names = values.format.split(",").map((name) => name.trim());
  const formats = names.filter(isFormat);
  if (formats.length < names.length) throw new UsageError("--format knows parquet and csv");
  for (const day of [values.from, values.to]) {
    if (day !== undefined && !isDay(day)) throw new UsageError(`"${day}" is not a day YYYY-MM-DD`);
  }
  const { from, to } = values;
  return {
    out: values.out === undefined ? null : resolve(values.out),
    formats: [...new Set(formats)],
    days: { ...(from ? { from } : {}), ...(to ? { to } : {}) },
  };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { rememberTimezone } from "../catalog/analytics.ts";
import type { CliContext } from "./context.ts";
import { refuseMissing, withDatabase } from "./database.ts";
import { underLease } from "../db/lease.ts";
import { openDb } from "../db/open.ts";
import { runExport, type ExportFormat } from "../export/run.ts";
import { readOptions, UsageError } from "../lib/arguments.ts";
import { isDay } from "../lib/calendar.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { writingTo } from "../lib/files.ts";

const leaseMs = 30_000;
const lookMs = 1000;

/** `kurabe export`; exit code 1 if it was stopped or another export is running. */
export function runExportCommand(args: string[], context: CliContext): Promise<number> {
  const { out, formats, days } = readArguments(args);
  const { signal, stdout } = context;
  refuseMissing(context);
  return withDatabase(context, async (databaseUrl, config) => {
    const { db, close } = openDb({
      url: databaseUrl,
      applicationName: "kurabe:export",
      maxConnections: 2,
      statementTimeoutMs: 60_000,
    });
    try {
      await rememberTimezone(db, config.storefront.timezone, clock.now());
      const lease = { name: "export", holder: randomUUID(), ttlMs: leaseMs };
      const folder = out ?? join(config.dataDir, "exports");
      const write = () =>
        underLease(db, clock, lease, (_lease, lost) =>
          runExport({
            db,
            databaseUrl,
            clock,
            folder,
            formats,
            ...days,
            signal: AbortSignal.any([signal, lost]),
            onDays: (all) => stdout.write(`full days: ${toRange(all)}\n`),
            onFile: ({ file, rows, bytes }) =>
              stdout.write(`${file}: ${rows} rows, ${bytes} bytes\n`),
          }),
        ).catch((error: unknown) => {
          throw writingTo(folder, error);
        });
      let written = await write();
      // One that was killed has the lease until its term ends; one that runs renews it.
      const untilMs = clock.monotonicMs() + leaseMs + lookMs;
      while (written === null && !signal.aborted && clock.monotonicMs() < untilMs) {
        await clock.sleep(lookMs, signal);
        written = await write();
      }
      stdout.write(
        written === null ? "another export is under way\n" : `${written} files written\n`,
      );
      return written === null || signal.aborted ? 1 : 0;
    } finally {
      await close();
    }
  });
}

const toRange = (days: readonly string[]) =>
  days.length === 0 ? "none" : `${days[0]} to ${days.at(-1)}`;

const knownFormats: readonly string[] = ["parquet", "csv"] satisfies ExportFormat[];
const isFormat = (name: string): name is ExportFormat => knownFormats.includes(name);

function readArguments(args: string[]) {
  const text = { type: "string" } as const;
  const format = { ...text, default: "parquet,csv" };
  const values = readOptions(args, { out: text, from: text, to: text, format });
  const names = values.format.split(",").map((name) => name.trim());
  const formats = names.filter(isFormat);
  if (formats.length < names.length) throw new UsageError("--format knows parquet and csv");
  for (const day of [values.from, values.to]) {
    if (day !== undefined && !isDay(day)) throw new UsageError(`"${day}" is not a day YYYY-MM-DD`);
  }
  const { from, to } = values;
  if (from && to && from > to) throw new UsageError(`--from ${from} is after --to ${to}`);
  return {
    out: values.out === undefined ? null : resolve(values.out),
    formats: [...new Set(formats)],
    days: { ...(from ? { from } : {}), ...(to ? { to } : {}) },
  };
}

import { benchAlerts as measure, type AlertsBench } from "../../bench/alerts.ts";
import { readOptions, wholeNumber } from "../../lib/arguments.ts";
import { systemClock as clock } from "../../lib/clock.ts";
import { createLogger } from "../../lib/logger.ts";
import type { CliContext } from "../context.ts";
import { withScratchServer } from "./scratch-database.ts";

const mostLookedPercent = 0.1;
const mostP95Ms = 2000;

/**
 * `kurabe bench alerts`: judges changes against many saved searches in a scratch database, and prints what
 * share of them is looked at, and how soon events are there. Exit code 1 beyond the aims.
 */
export async function benchAlerts(args: string[], context: CliContext): Promise<number> {
  const { json, ...size } = readArguments(args);
  const logger = createLogger({ level: "warn", format: "json" });
  const note = (line: string) => void context.stderr.write(`${line}\n`);
  const figures = await withScratchServer(context, (server) =>
    server.withDatabase((db) => measure(db, size, { clock, logger, note })),
  );
  context.stdout.write(
    json
      ? `${JSON.stringify(figures)}\n`
      : `${Object.entries(figures)
          .map(([name, value]) => `${name.padEnd(18)}${value ?? "-"}`)
          .join("\n")}\n`,
  );
  const isSoon = (figures.p95Ms ?? 0) <= mostP95Ms;
  return isSoon && figures.lookedPercent <= mostLookedPercent ? 0 : 1;
}

function readArguments(args: string[]): AlertsBench & { json: boolean } {
  const { searches, products, rate, seconds, json } = readOptions(args, {
    searches: { type: "string", default: "100000" },
    products: { type: "string", default: "100000" },
    rate: { type: "string", default: "1000" },
    seconds: { type: "string", default: "60" },
    json: { type: "boolean", default: false },
  });
  return {
    searches: wholeNumber("--searches", searches, 100),
    products: wholeNumber("--products", products, 100),
    changesPerSecond: wholeNumber("--rate", rate, 10),
    seconds: wholeNumber("--seconds", seconds, 1),
    json,
  };
}

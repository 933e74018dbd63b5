import type { CliContext } from "../context.ts";
import { withScratchServer } from "./scratch-database.ts";
import {
  playNoted,
  isPolicyName,
  policies,
  type Bench,
  type PolicyName,
} from "../../bench/play/policies.ts";
import { freshnessBounds } from "../../bench/bound.ts";
import { createSyntheticWorld, toScale, type Scale } from "../../bench/worlds/synthetic.ts";
import {
  callsPerFeed,
  printMainTable,
  printRegimeTable,
  printTraceTable,
} from "../../bench/tables.ts";
import { readTraceWorld } from "../../bench/worlds/trace.ts";
import type { World } from "../../bench/worlds/world.ts";
import { readOptions, wholeNumber, UsageError } from "../../lib/arguments.ts";
import { systemClock } from "../../lib/clock.ts";

const options = {
  catalog: { type: "string" },
  changes: { type: "string" },
  "calls-per-day": { type: "string" },
  policy: { type: "string" },
  importance: { type: "string", default: "uniform" },
  items: { type: "string", default: "10000" },
  days: { type: "string" },
  seed: { type: "string", default: "1" },
  json: { type: "boolean", default: false },
} as const;

interface Options {
  files: { catalog: string; changes: string } | null;
  importance: "uniform" | "zipf";
  scale: Scale;
  /** How many days of a recorded catalogue to play; null: all. */
  days: number | null;
  /** null: print all tables. */
  one: { policy: PolicyName; callsPerDay: number; json: boolean } | null;
}

/**
 * `kurabe bench crawl`: runs the crawler on a scratch database in simulated time, and simple policies
 * on a copy in memory. Exit code 1 if interrupted. Throws UsageError for bad arguments.
 */
export async function benchCrawl(args: string[], context: CliContext): Promise<number> {
  const { signal } = context;
  const options = readArguments(args);
  const trace = options.files ? await openTrace(options.files, options) : null;
  try {
    return await withScratchServer(context, async ({ withDatabase }) => {
      await play(options, trace, {
        print: (line) => void context.stdout.write(`${line}\n`),
        note: (line) => void context.stderr.write(`${line}\n`),
        withDatabase,
        clock: systemClock,
        signal,
      });
      return 0;
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    context.stderr.write("stopped; its database is deleted\n");
    return 1;
  }
}

async function play(options: Options, trace: World | null, bench: Bench): Promise<void> {
  const { scale } = options;
  if (options.one) return playOne(trace ?? createSyntheticWorld(scale), options.one, bench);
  await printMainTable(scale, bench);
  await printRegimeTable(scale, bench);
  if (trace) await printTraceTable(trace, [100, 300, 1000], bench);
}

function readArguments(args: string[]): Options {
  const values = readOptions(args, options);
  const { catalog, changes, importance, policy = "planner", json } = values;
  if (importance !== "uniform" && importance !== "zipf") {
    throw new UsageError(`--importance must be uniform or zipf, not "${importance}"`);
  }
  if ((catalog === undefined) !== (changes === undefined)) {
    throw new UsageError(
      `--catalog and --changes go together; ${catalog === undefined ? "--catalog" : "--changes"} is missing`,
    );
  }
  if (!isPolicyName(policy)) {
    const names = Object.keys(policies).join(", ");
    throw new UsageError(`--policy must be one of ${names}, not "${policy}"`);
  }
  const callsPerDay = wholeNumber("--calls-per-day", values["calls-per-day"] ?? "300", 1);
  const isOne = json || values.policy !== undefined || values["calls-per-day"] !== undefined;
  return {
    files: catalog !== undefined && changes !== undefined ? { catalog, changes } : null,
    importance,
    scale: toScale({
      items: wholeNumber("--items", values.items, 500),
      days: wholeNumber("--days", values.days ?? String(defaultDays), leastDays),
      seed: wholeNumber("--seed", values.seed, 0),
    }),
    days: values.days === undefined ? null : wholeNumber("--days", values.days, leastDays),
    one: isOne ? { policy, callsPerDay, json } : null,
  };
}

const leastDays = 3;
const defaultDays = 36;

async function openTrace(
  files: { catalog: string; changes: string },
  { importance, days }: Pick<Options, "importance" | "days">,
): Promise<World> {
  try {
    return await readTraceWorld(files, importance, days);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--catalog or --changes cannot be read: ${reason}`, { cause: error });
  }
}

async function playOne(
  world: World,
  { policy, callsPerDay, json }: NonNullable<Options["one"]>,
  bench: Bench,
): Promise<void> {
  const feedEvery = world.name === "trace" ? callsPerFeed : 0;
  const outcome = await playNoted(bench, world, policy, { callsPerDay, feedEvery });
  const figures = { policy, ...outcome, freshness_bounds: freshnessBounds(world, callsPerDay) };
  if (json) return bench.print(JSON.stringify(figures));
  for (const [name, value] of Object.entries(figures)) {
    bench.print(`${name}: ${JSON.stringify(value)}`);
  }
}

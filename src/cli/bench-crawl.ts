import { parseArgs } from "node:util";
import type { CliContext } from "./context.ts";
import { isPolicyName, playPolicy, policies, type PolicyName } from "../bench/policies.ts";
import { createSyntheticWorld, defaultRules } from "../bench/synthetic.ts";
import {
  FEED_EVERY,
  printMainTable,
  printRegimeTable,
  printTraceTable,
  toScale,
  type Printer,
} from "../bench/tables.ts";
import { readTraceWorld } from "../bench/trace.ts";
import type { World } from "../bench/world.ts";
import { UsageError } from "../lib/usage-error.ts";

const options = {
  catalog: { type: "string" },
  changes: { type: "string" },
  "calls-per-day": { type: "string" },
  policy: { type: "string" },
  importance: { type: "string", default: "uniform" },
  items: { type: "string", default: "10000" },
  json: { type: "boolean", default: false },
} as const;

interface Wish {
  files: { catalog: string; changes: string } | null;
  importance: "uniform" | "zipf";
  items: number;
  /** null: all the tables. */
  one: { policy: PolicyName; callsPerDay: number; json: boolean } | null;
}

/**
 * Simulated time, the real planner: its worths, learning, sweeps and pace are the crawler's own; the
 * ledger is the same rules in memory. Throws UsageError when the arguments make no sense.
 */
export async function benchCrawl(args: string[], context: CliContext): Promise<number> {
  const wish = readArguments(args);
  const out: Printer = {
    print: (line) => void context.stdout.write(`${line}\n`),
    note: (line) => void context.stderr.write(`${line}\n`),
  };
  const trace = wish.files ? await openTrace(wish.files, wish.importance) : null;
  if (wish.one) {
    playOne(trace, wish.items, wish.one, out);
    return 0;
  }
  const scale = toScale(wish.items);
  printMainTable(scale, out);
  printRegimeTable(scale, out);
  if (trace) printTraceTable(trace, [100, 300, 1000], out);
  return 0;
}

function readArguments(args: string[]): Wish {
  const values = parse(args);
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
    items: wholeNumber("--items", values.items, 500),
    one: isOne ? { policy, callsPerDay, json } : null,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${name} must be a whole number from ${least}, not "${text}"`);
  }
  return value;
}

async function openTrace(
  files: { catalog: string; changes: string },
  importance: "uniform" | "zipf",
): Promise<World> {
  try {
    return await readTraceWorld(files, importance);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--catalog or --changes cannot be read: ${reason}`, { cause: error });
  }
}

function playOne(
  trace: World | null,
  items: number,
  { policy, callsPerDay, json }: NonNullable<Wish["one"]>,
  out: Printer,
): void {
  const { days, warmupDays } = toScale(items);
  const world = trace ?? createSyntheticWorld({ ...defaultRules, items, days, warmupDays });
  out.note(`${policies[policy].title}, ${callsPerDay} calls a day: playing`);
  const outcome = playPolicy(world, policy, { callsPerDay, feedEvery: trace ? FEED_EVERY : 0 });
  const figures = { policy, ...outcome };
  if (json) out.print(JSON.stringify(figures));
  else
    for (const [name, value] of Object.entries(figures))
      out.print(`${name}: ${JSON.stringify(value)}`);
}

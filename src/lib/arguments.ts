import { parseArgs, type ParseArgsConfig } from "node:util";
import { errorCode } from "./error-code.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options of a command that takes nothing else. Throws a `UsageError`. */
export function readOptions<const T extends Options>(args: string[], options: T) {
  return refusingUsage(options, () => parseArgs({ args, options })).values;
}

/** The options of a command that also takes arguments without a name, and these. Throws a `UsageError`. */
export function readOptionsAndRest<const T extends Options>(args: string[], options: T) {
  return refusingUsage(options, () => parseArgs({ args, options, allowPositionals: true }));
}

function refusingUsage<T extends { values: object }>(options: Options, parse: () => T): T {
  let read: T;
  try {
    read = parse();
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    const isUnknown = errorCode(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const more = isUnknown && known.length > 0 ? `; known are: ${known.join(", ")}` : "";
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}${more}`, {
      cause: error,
    });
  }
  // As of a variable of the shell that is not set.
  for (const [name, value] of Object.entries(read.values)) {
    if (typeof value === "string" && value.trim() === "")
      throw new UsageError(`--${name} is empty`);
  }
  return read;
}

/** Throws a `UsageError`. */
export function wholeNumber(name: string, text: string, least: number, most?: number): number {
  const value = Number(text);
  const isWithin = value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER);
  if (/^\d+$/.test(text) && isWithin) return value;
  const bounds = `from ${least}${most === undefined ? "" : ` to ${most}`}`;
  throw new UsageError(`${name} must be a whole number ${bounds}, not "${text}"`);
}

/** An invalid command line; the process ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

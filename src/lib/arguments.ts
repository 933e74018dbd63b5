import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./usage-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options of a command that takes nothing else. Throws a `UsageError`. */
export function readOptions<const T extends Options>(args: string[], options: T) {
  return refusingUsage(() => parseArgs({ args, options })).values;
}

/** The same of a command that also takes arguments without a name. */
export function readOptionsAndRest<const T extends Options>(args: string[], options: T) {
  return refusingUsage(() => parseArgs({ args, options, allowPositionals: true }));
}

function refusingUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Throws a `UsageError`. */
export function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${name} must be a whole number from ${least}, not "${text}"`);
  }
  return value;
}

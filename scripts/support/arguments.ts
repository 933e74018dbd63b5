import type { ParseArgsConfig } from "node:util";
import { readOptions, UsageError } from "../../src/lib/arguments.ts";

/** Stands for the default of a text that must be given; in a list: at least once. */
export const needed = Symbol("needed");

type Default = number | boolean | string | null | readonly [typeof needed] | typeof needed;
type Value<D> = D extends number
  ? number
  : D extends boolean
    ? boolean
    : D extends readonly unknown[]
      ? string[]
      : D extends null
        ? string | null
        : string;
type Values<Defaults> = { -readonly [Name in keyof Defaults]: Value<Defaults[Name]> };

/**
 * The command line's options. Their defaults tell their kinds: a number, a flag (false), a text, a text that may be
 * left out (null) or repeated. For --help, and with what is wrong, the process ends with the list of them.
 */
export function readArguments<const Defaults extends Record<string, Default>>(
  defaults: Defaults,
): Values<Defaults> {
  const args = process.argv.slice(2);
  const isAsked = args.includes("--help");
  try {
    if (!isAsked) return argumentsOf(defaults, args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
  }
  const list = Object.entries(defaults).map(describe).join("\n");
  (isAsked ? process.stdout : process.stderr).write(`options:\n${list}\n`);
  process.exit(isAsked ? 0 : 2);
}

/** The same of these arguments. Throws a `UsageError`. */
export function argumentsOf<const Defaults extends Record<string, Default>>(
  defaults: Defaults,
  args: string[],
): Values<Defaults> {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, fallback] of Object.entries(defaults)) {
    const type = typeof fallback === "boolean" ? "boolean" : "string";
    options[name] = { type, multiple: Array.isArray(fallback) };
  }
  const given = readOptions(args, options);
  const values: Record<string, unknown> = {};
  for (const [name, fallback] of Object.entries(defaults)) {
    const value = given[name] ?? fallback;
    if (value === fallback && isNeeded(fallback)) throw new UsageError(`--${name} is missing`);
    values[name] = typeof fallback === "number" ? Number(value) : value;
    if (Number.isNaN(values[name]))
      throw new UsageError(`--${name}: ${String(value)} is not a number`);
  }
  return values as Values<Defaults>; // each has the kind of its default
}

const isNeeded = (fallback: Default) => fallback === needed || Array.isArray(fallback);

function describe([name, fallback]: [string, Default]): string {
  if (typeof fallback === "boolean") return `  --${name}`;
  if (isNeeded(fallback)) return `  --${name} …  (needed)`;
  const isOpen = fallback === null || fallback === "";
  return `  --${name} …${isOpen ? "" : `  (${String(fallback)} unless told)`}`;
}

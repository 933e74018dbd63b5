import { parseArgs } from "node:util";

/**
 * Reads the command line's options, all of them numbers: `--products 500` for `{ products: 2000 }`.
 * Throws for an option that `defaults` does not have, and for a value that is not a number.
 */
export function readNumbers<Name extends string>(
  defaults: Record<Name, number>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[]; // the type has no other keys
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" }] as const));
  const { values } = parseArgs({ options });
  const numbers = { ...defaults };
  for (const name of names) {
    const text = values[name];
    if (text === undefined) continue;
    numbers[name] = Number(text);
    if (!Number.isFinite(numbers[name])) throw new Error(`--${name}: ${text} is not a number`);
  }
  return numbers;
}

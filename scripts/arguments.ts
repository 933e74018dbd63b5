import { parseArgs } from "node:util";

/**
 * Reads the command line's options, all of them numbers: `--products 500` for `{ products: 2000 }`.
 * Throws for an option that `defaults` does not have, and for a value that is not a number.
 */
export function readNumbers<Name extends string>(
  defaults: Record<Name, number>,
): Record<Name, number> {
  return readOptions(defaults, []).numbers;
}

/** The same, with options that are texts besides. */
export function readOptions<Name extends string, Text extends string>(
  defaults: Record<Name, number>,
  textNames: readonly Text[],
): { numbers: Record<Name, number>; texts: Partial<Record<Text, string>> } {
  const names = Object.keys(defaults) as Name[]; // the type has no other keys
  const options = Object.fromEntries(
    [...names, ...textNames].map((name) => [name, { type: "string" }] as const),
  );
  const { values } = parseArgs({ options });
  const numbers = { ...defaults };
  for (const name of names) {
    const text = values[name];
    if (text === undefined) continue;
    numbers[name] = Number(text);
    if (!Number.isFinite(numbers[name])) throw new Error(`--${name}: ${text} is not a number`);
  }
  const texts: Partial<Record<Text, string>> = {};
  for (const name of textNames) if (values[name] !== undefined) texts[name] = values[name];
  return { numbers, texts };
}

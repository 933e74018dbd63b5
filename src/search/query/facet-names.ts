import { readCountedNames } from "../../catalog/counts.ts";
import type { Db } from "../../db/open.ts";
import type { Counts } from "../engine/answers.ts";
import { fingerprintOf, fromFacetKey, isWholeFacetKey } from "../index/facet-key.ts";

/** What the index has as keys (see `toFacetKey`), and what the catalogue counts by these names. */
const keyed = new Map([
  ["shop_id", "shop"],
  ["categories", "category"],
] as const);

/** The name of each key of a facet. A key has only the beginning of a long name: the catalogue has the rest. */
export async function toNames(
  db: Db,
  attribute: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const counted = [...keyed].find(([name]) => name === attribute)?.[1];
  if (!counted) return new Map();
  const names = new Map(keys.map((key) => [key, fromFacetKey(key)]));
  const cut = keys.filter((key) => !isWholeFacetKey(key));
  if (cut.length === 0) return names;
  const whole = await readCountedNames(db, counted, cut.map(fingerprintOf));
  for (const key of cut) names.set(key, whole.get(fingerprintOf(key)) ?? fromFacetKey(key));
  return names;
}

/** Counts of the engine by names in place of keys. */
export async function toNamed(db: Db, counts: Counts): Promise<Counts> {
  const named = Object.entries(counts).map(async ([attribute, values]) => {
    const names = await toNames(db, attribute, Object.keys(values));
    const entries = Object.entries(values).map(([key, n]) => [names.get(key) ?? key, n] as const);
    return [attribute, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

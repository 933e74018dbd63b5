import type { RowOf } from "../../db/row-of.ts";
import { toIso } from "./to-product.ts";

/** A record as answers have it: names in snake case, instants as text. What is deeper in it stays. */
export function toMembers<T extends object>(record: T): RowOf<T> {
  const members = Object.entries(record).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value instanceof Date ? toIso(value) : value,
  ]);
  // Safe: each member is converted as `RowOf` says.
  return Object.fromEntries(members) as RowOf<T>;
}

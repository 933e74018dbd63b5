import type { z } from "@hono/zod-openapi";
import type { RowOf } from "../../db/rows.ts";

/** A record as answers have it: names in snake case, instants as text. What is deeper in it stays. */
export function toMembers<T extends object>(record: T): RowOf<T> {
  const members = Object.entries(record).map(([name, value]) => [
    toSnakeCase(name),
    value instanceof Date ? toIso(value) : value,
  ]);
  // Safe: each member is converted as `RowOf` says.
  return Object.fromEntries(members) as RowOf<T>;
}

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `toMembers`, but only the members that the schema names. */
export function membersOf<Shape extends z.ZodRawShape, T extends object>(
  { shape }: z.ZodObject<Shape>,
  record: T,
): Pick<RowOf<T>, keyof Shape & keyof RowOf<T>> {
  const members = Object.entries(toMembers(record)).filter(([name]) => Object.hasOwn(shape, name));
  // Safe: these are the members that both have.
  return Object.fromEntries(members) as Pick<RowOf<T>, keyof Shape & keyof RowOf<T>>;
}

/** ISO 8601 in UTC, without a zero fraction. */
export function toIso(instant: Date): string;
export function toIso(instant: Date | null): string | null;
export function toIso(instant: Date | null): string | null {
  return instant === null ? null : instant.toISOString().replace(".000Z", "Z");
}

/** To one decimal. */
export const tenths = (value: number) => Math.round(value * 10) / 10;

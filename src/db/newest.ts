import { desc, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "./open.ts";

/** Rows that one page looks at, because no index serves its filters. */
export const rowsLookedAt = 20_000;

/** Rows that a page looks at: without a filter, as many as it shows and one more. */
export const lookedAt = (limit: number, filters: readonly unknown[]): number =>
  filters.every((filter) => filter === undefined) ? limit + 1 : rowsLookedAt;

/** Newest first. */
export interface NewestPage<Row> {
  items: Row[];
  /** `before` of the next page, which there may be even if this one has no items; null: this is the last. */
  next: number | null;
}

/**
 * Makes a page of `found`, the rows of the newest `ROWS_LOOKED_AT` within `scope` that the filters let
 * through, one more than `limit` of them if there are as many.
 */
export async function toNewestPage<Row extends { id: number }>(
  db: Db,
  found: Row[],
  { limit, id, scope }: { limit: number; id: PgColumn; scope?: SQL | undefined },
): Promise<NewestPage<Row>> {
  const last = found[limit - 1];
  if (last && found.length > limit) return { items: found.slice(0, limit), next: last.id };
  const [end] = await db
    .select({ id })
    .from(id.table)
    .where(scope)
    .orderBy(desc(id))
    .offset(rowsLookedAt - 1)
    .limit(1);
  return { items: found, next: end === undefined ? null : Number(end.id) };
}

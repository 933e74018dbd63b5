import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { toRecords, type RowOf } from "../db/rows.ts";

/** Ids in one range: as many as a site map may have addresses. */
export const rangeSize = 50_000;

/** The numbers of the ranges of ids that have products, ascending: each is one step in the index of ids. */
export async function readRanges(db: Db): Promise<number[]> {
  const rows = await db.execute<{ range: number }>(sql`
    with recursive step as (
      (select item_id / ${rangeSize}::bigint as range from product order by item_id limit 1)
      union all
      select n.range from step s cross join lateral (
        select item_id / ${rangeSize}::bigint as range from product
        where item_id >= (s.range + 1) * ${rangeSize}::bigint order by item_id limit 1) n
    )
    select range from step`);
  return rows.map(({ range }) => range);
}

export interface MappedProduct {
  itemId: number;
  /** When what is shown of it last changed. */
  changedAt: Date;
}

/** The products of a range that are not deleted, by id. */
export async function readRange(db: Db, range: number): Promise<MappedProduct[]> {
  const rows = await db.execute<RowOf<MappedProduct>>(sql`
    select item_id, changed_at from product
    where item_id >= ${range * rangeSize}::bigint and item_id < ${(range + 1) * rangeSize}::bigint and state <> 'gone'
    order by item_id`);
  return toRecords<MappedProduct>(rows, { changedAt: true });
}

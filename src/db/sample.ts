import { sql, type SQL } from "drizzle-orm";

/**
 * About so many rows of a table, read from random pages; all rows if the table has no more pages than needed.
 * Reads no other pages: `tablesample` goes through the numbers of all pages, 15 ms for ten million products.
 * `offset 0` keeps the range of each page a search of its own.
 */
export function randomRows(
  table: "product" | "product_text" | "product_schedule",
  rows: number,
): SQL {
  const name = sql.raw(`'${table}'::regclass`);
  return sql`(
    select t.* from (
      select distinct case when pages <= wanted then nr else floor(random() * pages)::bigint end as page
      from (
        select pages, least(pages, ceil(${rows} / greatest(1, reltuples / greatest(1, relpages)))::bigint) as wanted
        from pg_class, (select pg_relation_size(${name}) / current_setting('block_size')::bigint as pages) own
        where oid = ${name}
      ) size, generate_series(0, wanted - 1) nr
    ) drawn cross join lateral (
      select * from ${sql.identifier(table)}
      where ctid >= format('(%s,0)', page)::tid and ctid < format('(%s,0)', page + 1)::tid offset 0
    ) t)`;
}

/**
 * The first rows of `product_text` as they lie on disk, the same each time. Without the range, a scan of a
 * large table begins where the last one ended, so each would read other pages from the disk.
 */
export function firstTexts(rows: number): SQL {
  return sql`(select * from product_text where ctid >= '(0,0)'::tid limit ${rows})`;
}

import { sql, type SQL } from "drizzle-orm";

/** These rows as those of a table, by the names of its columns: one parameter, whatever their number. A member that is left out is null. */
export function rowsOf(table: string, rows: readonly object[]): SQL {
  return sql`json_populate_recordset(null::${sql.identifier(table)}, ${JSON.stringify(rows)}::text::json)`;
}

/** `rowsOf` for rows of no table. `columns`: as in `x(a bigint, b text)`. */
export function recordset(rows: readonly object[], columns: string): SQL {
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as ${sql.raw(columns)}`;
}

/** What an upsert takes over from the new row. */
export function assignments(columns: readonly string[]): SQL {
  return sql.raw(columns.map((name) => `${name} = excluded.${name}`).join(", "));
}

/** Whether two rows differ in one of the columns. */
export function differs(columns: readonly string[], before = "p", after = "excluded"): SQL {
  const list = (table: string) => sql.raw(columns.map((name) => `${table}.${name}`).join(", "));
  return sql`(${list(before)}) is distinct from (${list(after)})`;
}

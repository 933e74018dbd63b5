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

/** A subquery of these ids, as in `item_id in ${idList(ids)}`: one parameter, whatever their number. */
export function idList(ids: readonly number[]): SQL {
  return sql`(select x::bigint from json_array_elements_text(${JSON.stringify(ids)}::text::json) as t(x))`;
}

/**
 * These ids for `item_id = ${anyId(ids)}`: each id is looked up in an index, whatever the planner thinks of the sizes
 * of the list and of a table that grows while it is read.
 */
export function anyId(ids: readonly number[]): SQL {
  return sql`any (array${idList(ids)})`;
}

/** `idList` for texts. */
export function textList(texts: readonly (string | number)[]): SQL {
  return sql`(select json_array_elements_text(${JSON.stringify(texts)}::text::json))`;
}

/** `anyId` for texts: a table of many rows is not read whole for a few of them. */
export function anyText(texts: readonly string[]): SQL {
  return sql`any (array${textList(texts)})`;
}

/** The row that a record is read from: names in snake case, instants as text. */
export type RowOf<T> = {
  [Name in keyof T & string as SnakeCase<Name>]: Date extends T[Name]
    ? string | Exclude<T[Name], Date>
    : T[Name];
};

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** The members of a record that are instants: all of them have to be named. */
type InstantsOf<T> = {
  [Name in keyof T as Date extends T[Name] ? Name : never]-?: true;
};

/** The records of a statement's rows, which have just their columns. */
export function toRecords<T extends object>(
  rows: readonly RowOf<T>[],
  instants: InstantsOf<T>,
): T[] {
  const columns = Object.keys(rows[0] ?? {}).map((column) => {
    const name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return { column, name, isInstant: Object.hasOwn(instants, name) };
  });
  return rows.map((row) => {
    const values: Record<string, unknown> = row;
    const members = columns.map(({ column, name, isInstant }) => {
      const value = values[column];
      return [name, isInstant && typeof value === "string" ? new Date(value) : value];
    });
    // Safe: a row has the columns of its record, and each is converted as `RowOf` says.
    return Object.fromEntries(members) as T;
  });
}

/** The end of `integer`. */
export const mostCount = 2 ** 31 - 1;

/** A count that goes on. One that somebody wrote by hand at its end stays there: else no statement of its row would pass. */
export function oneMore(count: SQL): SQL {
  return sql`least(${count}, ${mostCount - 1}::int) + 1`;
}

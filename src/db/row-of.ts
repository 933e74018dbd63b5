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

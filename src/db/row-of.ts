/** The row that a record is read from: names in snake case, instants as text. */
export type RowOf<T> = {
  [Name in keyof T & string as SnakeCase<Name>]: Date extends T[Name]
    ? string | Exclude<T[Name], Date>
    : T[Name];
};

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

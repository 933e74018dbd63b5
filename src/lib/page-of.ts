/** A page of a list, and where the next one begins; null: this is the last. */
export interface ListPage<Row, Position> {
  items: Row[];
  next: Position | null;
}

/** Makes a page of `limit` rows of those that were read, which are one more if there is another page. */
export function pageOf<Row, Position>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): ListPage<Row, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && rows.length > limit ? positionOf(last) : null };
}

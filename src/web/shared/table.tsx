import type { Child } from "hono/jsx";

export interface Column<Row> {
  name: string;
  cell(row: Row): Child;
  /** The style sheet's class for heading and cells; figures stand under one another. */
  look?: "number" | "when";
  /** The cells that say what their row is about. */
  isHead?: boolean;
  lang?: "en";
}

interface TableProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}

/** One line a row, one column a figure or word of it. */
export function Table<Row>({ rows, columns }: TableProps<Row>) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ name, look }) => (
            <th scope="col" class={look}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <Cell row={row} column={column} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ row, column }: { row: Row; column: Column<Row> }) {
  const { cell, look, lang, isHead } = column;
  if (isHead) {
    return (
      <th scope="row" class={look}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td class={look} lang={lang}>
      {cell(row)}
    </td>
  );
}

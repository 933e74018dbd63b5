import type { Child } from "hono/jsx";

export interface Column<Row> {
  name: string;
  cell(row: Row): Child;
  /** The style sheet's class for heading and cells, for example to align numbers. */
  look?: "number" | "when";
  isHead?: boolean;
  lang?: "en";
}

interface TableProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  class?: string;
  rowClass?(row: Row): string | undefined;
}

/** A table of rows with the given columns. */
export function Table<Row>({ rows, columns, rowClass, ...own }: TableProps<Row>) {
  return (
    <table {...own}>
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
          <tr class={rowClass?.(row)}>
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

/** A wide table scrolls inside its own frame, also by keyboard. */
export function WideTable<Row>({ label, ...table }: TableProps<Row> & { label: string }) {
  return (
    <div class="wide" tabindex={0} role="group" aria-label={label}>
      <Table {...table} />
    </div>
  );
}

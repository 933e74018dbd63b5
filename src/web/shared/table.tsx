import type { Child } from "hono/jsx";

interface Column<Row> {
  name: string;
  cell(row: Row): Child;
  /** The style sheet's class for heading and cells, for example to align numbers. */
  look?: "number" | "when";
  isHead?: boolean;
  lang?: "en";
}

/** How the usual columns are written: by their name and what they show of a row. */
type ColumnKinds<Row> = Record<
  "column" | "head" | "numbers" | "times",
  (name: string, cell: Column<Row>["cell"]) => Column<Row>
>;

function kindsOf<Row>(): ColumnKinds<Row> {
  return {
    column: (name, cell) => ({ name, cell }),
    head: (name, cell) => ({ name, cell, isHead: true }),
    numbers: (name, cell) => ({ name, cell, look: "number" }),
    times: (name, cell) => ({ name, cell, look: "when" }),
  };
}

interface TableProps<Row> {
  rows: readonly Row[];
  columns(kinds: ColumnKinds<Row>): readonly Column<Row>[];
  class?: string;
  rowClass?(row: Row): string | undefined;
}
export function Table<Row>({ rows, columns: columnsOf, rowClass, ...own }: TableProps<Row>) {
  const columns = columnsOf(kindsOf());
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

interface WideTableProps<Row> extends TableProps<Row> {
  label: string;
  /** What stands there if there are no rows. */
  empty?: string;
}

/** A wide table scrolls inside its own frame, also by keyboard. */
export function WideTable<Row>(props: WideTableProps<Row>) {
  const { label, empty, ...table } = props;
  if (empty !== undefined && table.rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <div class="wide" tabindex={0} role="group" aria-label={label}>
      <Table {...table} />
    </div>
  );
}

import { Table, type Column } from "../../shared/table.tsx";

interface WideTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}

/** A wide table scrolls inside its own frame, also by keyboard. */
export function WideTable<Row>({ label, rows, columns }: WideTableProps<Row>) {
  return (
    <div class="wide" tabindex={0} role="group" aria-label={label}>
      <Table rows={rows} columns={columns} />
    </div>
  );
}

export function ProductLink({ itemId, title }: { itemId: number; title: string }) {
  return (
    <a href={`/products/${itemId}`}>
      <bdi>{title}</bdi>
    </a>
  );
}

export function Moment({ at, text }: { at: Date; text: string }) {
  return <time datetime={at.toISOString()}>{text}</time>;
}

import type { UseDay } from "../../keys/stored-use.ts";
import type { Column } from "../shared/table.tsx";
import type { OpsPage } from "./ops-page.ts";
import { WideTable } from "./wide-table.tsx";

type Row = UseDay & { name: string };

const counts = [
  ["requests", "requests"],
  ["errors", "errors"],
  ["limited", "limited"],
  ["otherOrigin", "other_origin"],
] as const;

/** More would be read by nobody. */
const rowsShown = 200;

export function KeyUseTable({ page, rows }: { page: OpsPage; rows: readonly Row[] }) {
  const { o, f } = page;
  if (rows.length === 0) return <p class="quiet">{o.keys.useEmpty}</p>;
  return (
    <WideTable
      label={o.keys.use}
      rows={rows.slice(0, rowsShown)}
      columns={[
        { name: o.keys.day, look: "when", cell: ({ day }) => f.day(day) },
        { name: o.keys.key, isHead: true, cell: ({ name }) => <bdi>{name}</bdi> },
        ...counts.map(([word, count]): Column<Row> => ({
          name: o.keys[word],
          look: "number",
          cell: (row) => f.number(row[count]),
        })),
      ]}
    />
  );
}

import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { must } from "../lib/must.ts";
import type { Snapshot } from "../db/backup/snapshot.ts";

const batchRows = 50_000;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];
type Kind = Pick<SchemaElement, "type" | "converted_type" | "logical_type">;

/** Says besides that these are instants: readers take the older type alone for times without a zone. */
const instant = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } as const;

/** The key is the OID of pg_type. */
const kinds = new Map<number, Kind>([
  [16, { type: "BOOLEAN" }],
  [20, { type: "INT64" }],
  [23, { type: "INT32" }],
  [25, { type: "BYTE_ARRAY", converted_type: "UTF8" }],
  [701, { type: "DOUBLE" }],
  [1082, { type: "INT32", converted_type: "DATE" }],
  [1184, { type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type: instant }],
]);

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Writes rows in batches, of which each becomes a row group, so that they may be many. Returns their number. */
export async function writeParquet(
  path: string,
  columns: readonly (Kind & { name: string })[],
  batches: AsyncIterable<Rows>,
): Promise<number> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "root", num_children: columns.length },
      ...columns.map((column) => ({ ...column, repetition_type: "OPTIONAL" as const })),
    ],
  });
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    const columnData = columns.map(({ name, type, converted_type: converted }) => ({
      name,
      data: rows.map((row) => toParquet(row[name], type)),
      // Bounds of such texts help no reader, and are as long as the texts.
      statistics: converted !== "JSON",
    }));
    await writer.write({ columnData, rowGroupSize: rows.length });
  }
  await writer.finish();
  return count;
}

/** The library wants INT64 as bigint. From Postgres it arrives as text, so that it is not rounded. */
function toParquet(value: unknown, type: Kind["type"]): unknown {
  const isWhole = type === "INT64" && (typeof value === "string" || typeof value === "number");
  return isWhole ? BigInt(value) : (value ?? null);
}

/** Writes a query's result. Returns the number of rows. */
export async function writeQuery(snapshot: Snapshot, query: string, path: string): Promise<number> {
  const columns = (await snapshot.columns(query)).map(({ name, type }) => ({
    name,
    ...must(kinds.get(type), `a Parquet type for column ${name} (${type})`),
  }));
  return writeParquet(path, columns, snapshot.rows(query, batchRows));
}

import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { must } from "../lib/must.ts";
import type { Snapshot } from "../db/backup/snapshot.ts";

const BATCH_ROWS = 50_000;

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
const INT8 = 20;

/** Writes a query's result in batches, so that it may be large. Returns the number of rows. */
export async function writeParquet(
  snapshot: Snapshot,
  query: string,
  path: string,
): Promise<number> {
  const columns = await snapshot.columns(query);
  const schema: SchemaElement[] = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({
      name,
      repetition_type: "OPTIONAL" as const,
      ...must(kinds.get(type), `a Parquet type for column ${name} (${type})`),
    })),
  ];
  const writer = new ParquetWriter({ writer: fileWriter(path), schema });
  let count = 0;
  for await (const rows of snapshot.rows(query, BATCH_ROWS)) {
    count += rows.length;
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: rows.map((row) => toParquet(row[name], type)),
    }));
    await writer.write({ columnData, rowGroupSize: BATCH_ROWS });
  }
  await writer.finish();
  return count;
}

/** int8 arrives as text, so that it is not rounded. */
function toParquet(value: unknown, type: number): unknown {
  return type === INT8 && typeof value === "string" ? BigInt(value) : value;
}

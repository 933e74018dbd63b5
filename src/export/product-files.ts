import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { SnapshotFormat } from "./manifest.ts";
import { writeParquet } from "./parquet.ts";

/** One member of a product. `json`: a list or an object, which a Parquet file has as JSON text. */
export interface ProductColumn {
  name: string;
  kind: "boolean" | "integer" | "number" | "text" | "json";
}

export type ProductRow = Readonly<Record<string, unknown>>;
export type ProductPages = AsyncIterable<readonly ProductRow[]>;

/** Write all products to a file, in memory that does not grow with them. */
export const productWriters: Record<
  SnapshotFormat,
  (pages: ProductPages, columns: readonly ProductColumn[], path: string) => Promise<void>
> = {
  async "jsonl.gz"(pages, columns, path) {
    await pipeline(Readable.from(toLines(pages, columns)), createGzip(), createWriteStream(path));
  },
  async parquet(pages, columns, path) {
    const typed = columns.map(({ name, kind }) => ({ name, ...types[kind] }));
    await writeParquet(path, typed, inGroups(pages));
  },
};

async function* toLines(
  pages: ProductPages,
  columns: readonly ProductColumn[],
): AsyncGenerator<string> {
  for await (const rows of pages) {
    yield rows
      .map((row) => {
        const members = columns.map(({ name }) => [name, row[name]]);
        return `${JSON.stringify(Object.fromEntries(members))}\n`;
      })
      .join("");
  }
}

/** A row group ends at either. Small, because encoding it keeps everything else of the process waiting. */
const GROUP_ROWS = 5000;
const GROUP_CHARS = 4_000_000;

const types = {
  boolean: { type: "BOOLEAN" },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "JSON" },
} as const;

async function* inGroups(pages: ProductPages): AsyncGenerator<ProductRow[]> {
  let group: ProductRow[] = [];
  let chars = 0;
  for await (const rows of pages) {
    for (const row of rows) {
      group.push(row);
      chars += JSON.stringify(row).length;
      if (group.length < GROUP_ROWS && chars < GROUP_CHARS) continue;
      yield group;
      group = [];
      chars = 0;
    }
  }
  if (group.length > 0) yield group;
}

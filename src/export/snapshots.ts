import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Clock } from "../lib/clock.ts";
import {
  finishFile,
  replaceManifest,
  readSnapshotManifest,
  snapshotFormats,
  type SnapshotEntry,
  type SnapshotManifest,
  type SnapshotFormat,
} from "./manifest.ts";
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
const groupRows = 5000;
const groupChars = 4_000_000;

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
      if (group.length < groupRows && chars < groupChars) continue;
      yield group;
      group = [];
      chars = 0;
    }
  }
  if (group.length > 0) yield group;
}

/** All products at one moment. `pages` may be read several times and always has the same. */
export interface ProductState {
  cursor: string;
  pages(): ProductPages;
}

export interface SnapshotOptions {
  clock: Clock;
  folder: string;
  columns: readonly ProductColumn[];
  /** Runs `work` while the state can be read. */
  withState<T>(work: (state: ProductState) => Promise<T>): Promise<T>;
  /** Snapshots in the folder, the new one included. */
  keep: number;
  /** What stays free on the disk. The database may be on it, and must never find it full. */
  reserveBytes?: number;
  signal: AbortSignal;
}

const gib = 1_073_741_824;

/**
 * Adds a snapshot to the folder and removes the oldest ones. A snapshot counts once it is in the
 * manifest, so a run that ends early leaves what is published as it was.
 */
export async function publishSnapshot(options: SnapshotOptions): Promise<void> {
  const { clock, folder, keep } = options;
  await mkdir(folder, { recursive: true });
  const { snapshots } = await readSnapshotManifest(folder);
  await removeUnpublished(folder, snapshots);
  const last = snapshots[0]?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  await requireRoom(options, last);
  const madeAt = clock.now();
  try {
    const entry = await writeFiles(options, madeAt);
    const published = [entry, ...snapshots].slice(0, keep);
    await replaceManifest(folder, { version: 1, snapshots: published } satisfies SnapshotManifest);
  } finally {
    await removeUnpublished(folder, (await readSnapshotManifest(folder)).snapshots);
  }
}

async function writeFiles(options: SnapshotOptions, madeAt: Date): Promise<SnapshotEntry> {
  const { folder, columns } = options;
  const stamp = madeAt.toISOString().replace(/[-:]|\.\d+/g, "");
  return options.withState(async (state) => {
    const entry: SnapshotEntry = {
      made_at: madeAt.toISOString(),
      cursor: state.cursor,
      rows: 0,
      files: [],
    };
    for (const format of snapshotFormats) {
      const file = `products-${stamp}.${format}`;
      const path = join(folder, file);
      entry.rows = 0;
      const pages = guarded(state.pages(), options, (rows) => (entry.rows += rows));
      await productWriters[format](pages, columns, `${path}.part`);
      entry.files.push({ file, format, ...(await finishFile(path)) });
    }
    return entry;
  });
}

/** Ends the reading when the disk gets full or the run is stopped. */
async function* guarded(
  pages: ProductPages,
  options: SnapshotOptions,
  onRows: (rows: number) => void,
): ProductPages {
  for await (const rows of pages) {
    options.signal.throwIfAborted();
    await requireRoom(options, 0);
    onRows(rows.length);
    yield rows;
  }
}

async function requireRoom(
  { folder, reserveBytes = gib }: SnapshotOptions,
  bytes: number,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const wanted = bytes + reserveBytes;
  if (bavail * bsize < wanted) {
    throw new Error(`the disk has less than ${wanted} bytes left; no snapshot is written`);
  }
}

const ownName = /^products-\d{8}T\d{6}Z\.(?:jsonl\.gz|parquet)(?:\.part)?$/;

async function removeUnpublished(
  folder: string,
  snapshots: readonly SnapshotEntry[],
): Promise<void> {
  const published = new Set(snapshots.flatMap(({ files }) => files.map(({ file }) => file)));
  for (const name of await readdir(folder)) {
    if (ownName.test(name) && !published.has(name)) await rm(join(folder, name));
  }
}

import { readFile, rename, writeFile, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { unlessMissing, sha256Of } from "../lib/files.ts";

export const exportedFile = z.object({
  file: z.string(),
  dataset: z.string(),
  format: z.enum(["parquet", "csv"]),
  /** Day of the marketplace's calendar. For the present state, the day on which it was written. */
  day: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  written_at: z.string(),
});

const manifestSchema = z.object({ version: z.literal(1), files: z.array(exportedFile) });
export type ExportedFile = z.infer<typeof exportedFile>;
export type Manifest = z.infer<typeof manifestSchema>;

/** The finished files of the folder; empty before the first export. */
export async function readManifest(folder: string): Promise<Manifest> {
  return (await readManifestAs(folder, manifestSchema)) ?? { version: 1, files: [] };
}

/** Adds files in the place of those with the same names; returns what the manifest is then. */
export async function addToManifest(
  folder: string,
  { files: known }: Manifest,
  added: readonly ExportedFile[],
): Promise<Manifest> {
  const names = new Set(added.map(({ file }) => file));
  const files = [...known.filter(({ file }) => !names.has(file)), ...added];
  const manifest = {
    version: 1,
    files: files.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
  } as const;
  await replaceManifest(folder, manifest);
  return manifest;
}

/** null: the folder has no `manifest.json` yet. */
async function readManifestAs<T>(folder: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await unlessMissing(readFile(join(folder, "manifest.json"), "utf8"));
  return text === null ? null : schema.parse(JSON.parse(text));
}

/** Replaces the file atomically, so that readers see the old or the new one. */
export async function replaceManifest(folder: string, manifest: object): Promise<void> {
  const path = join(folder, "manifest.json");
  await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 1)}\n`);
  await rename(`${path}.part`, path);
}

interface FileProof {
  bytes: number;
  sha256: string;
}

/** Gives a file that was written under `${path}.part` its name, once the disk has it. */
export async function finishFile(path: string): Promise<FileProof> {
  const proof = await proveFile(path);
  await rename(`${path}.part`, path);
  return proof;
}

/** The same without the name, once the disk has the file. */
export async function proveFile(path: string): Promise<FileProof> {
  const part = `${path}.part`;
  await flush(part);
  return { bytes: (await stat(part)).size, sha256: await sha256Of(part) };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const snapshotFormats = ["jsonl.gz", "parquet"] as const;
export type SnapshotFormat = (typeof snapshotFormats)[number];

const snapshotSchema = z.object({
  made_at: z.string(),
  /** The cursor behind which the changes after this state are. */
  cursor: z.string(),
  rows: z.int(),
  files: z.array(
    z.object({
      file: z.string(),
      format: z.enum(snapshotFormats),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
});

const publishedSchema = z.object({
  version: z.literal(1),
  /** Newest first. */
  snapshots: z.array(snapshotSchema),
});

export type SnapshotEntry = z.infer<typeof snapshotSchema>;
export type SnapshotFile = SnapshotEntry["files"][number];
export type SnapshotManifest = z.infer<typeof publishedSchema>;

/** The published snapshots of the folder; none before the first. */
export async function readSnapshotManifest(folder: string): Promise<SnapshotManifest> {
  return (await readManifestAs(folder, publishedSchema)) ?? { version: 1, snapshots: [] };
}

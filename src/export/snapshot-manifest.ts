import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { unlessMissing } from "../lib/unless-missing.ts";

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

const manifestSchema = z.object({
  version: z.literal(1),
  /** Newest first. */
  snapshots: z.array(snapshotSchema),
});

export type SnapshotEntry = z.infer<typeof snapshotSchema>;
export type SnapshotFile = SnapshotEntry["files"][number];
export type SnapshotManifest = z.infer<typeof manifestSchema>;

/** The published snapshots of the folder; none before the first. */
export async function readSnapshotManifest(folder: string): Promise<SnapshotManifest> {
  const text = await unlessMissing(readFile(join(folder, "manifest.json"), "utf8"));
  if (text === null) return { version: 1, snapshots: [] };
  return manifestSchema.parse(JSON.parse(text));
}

/** Replaces the file atomically, so that readers see the old or the new one. */
export async function writeSnapshotManifest(
  folder: string,
  manifest: SnapshotManifest,
): Promise<void> {
  const path = join(folder, "manifest.json");
  await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 1)}\n`);
  await rename(`${path}.part`, path);
}

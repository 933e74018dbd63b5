import { z } from "zod";
import { readManifestAs } from "./manifest.ts";

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
  return (await readManifestAs(folder, manifestSchema)) ?? { version: 1, snapshots: [] };
}

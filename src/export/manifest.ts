import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { unlessMissing } from "../lib/files.ts";

const entrySchema = z.object({
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

const manifestSchema = z.object({ version: z.literal(1), files: z.array(entrySchema) });

/** A finished file. */
export type ExportedFile = z.infer<typeof entrySchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** The finished files of the folder; empty before the first export. */
export async function readManifest(folder: string): Promise<Manifest> {
  return (await readManifestAs(folder, manifestSchema)) ?? { version: 1, files: [] };
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const files = manifest.files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  await replaceManifest(folder, { ...manifest, files });
}

/** null: the folder has no `manifest.json` yet. */
export async function readManifestAs<T>(folder: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await unlessMissing(readFile(join(folder, "manifest.json"), "utf8"));
  return text === null ? null : schema.parse(JSON.parse(text));
}

/** Replaces the file atomically, so that readers see the old or the new one. */
export async function replaceManifest(folder: string, manifest: object): Promise<void> {
  const path = join(folder, "manifest.json");
  await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 1)}\n`);
  await rename(`${path}.part`, path);
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Reads a secret from a file (mode 0600), or creates it. If several processes start, one creates it. */
export async function keepSecret(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, `${make()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return (await readFile(path, "utf8")).trim();
}

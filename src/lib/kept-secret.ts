import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The secret kept in a file (mode 0600), made when there is none: of several processes one makes it. */
export async function keepSecret(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, `${make()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return (await readFile(path, "utf8")).trim();
}

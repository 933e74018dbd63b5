import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { unlessMissing } from "./unless-missing.ts";

/** Makes a folder with all above it. Node's own `recursive` never ends where nothing can be made, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  if (await unlessMissing(stat(path))) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it.
    if (!(await unlessMissing(stat(path)))) throw error;
  }
}

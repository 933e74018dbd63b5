import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { unlessMissing } from "./unless-missing.ts";

/** What a person reads if `path`, in DATA_DIR, is not ours to use. */
export function unusable(path: string, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return new Error(
    `${path} cannot be used by this user (${code}): start Kurabe as its owner, or set another DATA_DIR`,
    { cause: error },
  );
}

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

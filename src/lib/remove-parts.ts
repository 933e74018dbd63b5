import { rm } from "node:fs/promises";

/** Removes what a failed run has written of these files, as far as it can. */
export async function removeParts(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(`${path}.part`, { force: true })));
}

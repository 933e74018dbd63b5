import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** Gives a file that was written under `${path}.part` its name, once the disk has it. */
export async function finishFile(path: string): Promise<{ bytes: number; sha256: string }> {
  await flush(`${path}.part`);
  await rename(`${path}.part`, path);
  return { bytes: (await stat(path)).size, sha256: await sha256Of(path) };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

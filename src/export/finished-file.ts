import { open, rename, stat } from "node:fs/promises";
import { sha256Of } from "../lib/files.ts";

export interface FileProof {
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

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream";
import { pipeline as piped } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { errorCode } from "./error-code.ts";

/** The result of a file operation; null if the file does not exist. */
export async function unlessMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

const mends: Readonly<Record<string, string>> = {
  EACCES: "start Kurabe as its owner",
  EPERM: "start Kurabe as its owner",
  ENOTDIR: "a file is where a folder should be: move it",
  EROFS: "make its disk writable",
  ENOSPC: "free space on its disk",
};

/** What a person reads if `path`, in DATA_DIR, is not ours to use. */
export function unusable(path: string, error: unknown): Error {
  const code = errorCode(error) ?? String(error);
  const mend = Object.hasOwn(mends, code) ? `${mends[code]}, or ` : "";
  return new Error(`${path} cannot be used (${code}): ${mend}set another DATA_DIR`, {
    cause: error,
  });
}

/** The same failure, with the folder if it is one of writing that does not say where, as on a full disk. */
export function writingTo(folder: string, error: unknown): unknown {
  const isNameless =
    error instanceof Error && "syscall" in error && error.syscall === "write" && !("path" in error);
  return isNameless
    ? new Error(`${folder} cannot be written: ${error.message}`, { cause: error })
    : error;
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

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await piped(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Removes what a failed run has written of these files, as far as it can. */
export async function removeParts(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(`${path}.part`, { force: true })));
}

/**
 * The lines of a text file, unpacked if its name ends in `.gz`; the last one is empty if the file ends
 * with a line break. Rejects with the error of the file system or of the packed data. Only "\n" ends a
 * line, because the texts of JSON may contain the other line breaks of `node:readline` (U+2028).
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? pipeline(file, createGunzip(), () => {}) : file;
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = `${rest}${String(chunk)}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

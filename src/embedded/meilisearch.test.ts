import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyBinary } from "./meilisearch.ts";

let folder: string;
let binary: string;
let verdict: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kurabe-binary-"));
  binary = join(folder, "meilisearch");
  verdict = join(folder, "binary-checked");
  await writeFile(binary, "engine");
});
afterEach(() => rm(folder, { recursive: true }));

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the check of the Meilisearch binary", () => {
  it("C3: refuses a file that is not the pinned one", async () => {
    await expect(verifyBinary(binary, verdict)).rejects.toThrow(
      `is not the Meilisearch that this Kurabe was tested with (sha256 ${sha256("engine")})`,
    );
  });

  it("remembers a good verdict, and only for the very file and hash", async () => {
    const expected = sha256("engine");
    await verifyBinary(binary, verdict, expected);
    expect(await readFile(verdict, "utf8")).toContain(expected);
    await verifyBinary(binary, verdict, expected);
    await writeFile(binary, "another engine");
    await expect(verifyBinary(binary, verdict, expected)).rejects.toThrow("npm ci");
    await expect(verifyBinary(binary, verdict)).rejects.toThrow("npm ci");
  });
});

import { existsSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { errorCode } from "./error-code.ts";
import { makeFolder, unusable, writingTo } from "./files.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "make-folder-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("a folder", () => {
  it("is made with all above it, by however many ask at the same time", async () => {
    const path = join(await emptyFolder(), "a", "b", "c");
    await Promise.all(Array.from({ length: 10 }, () => makeFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it.runIf(process.platform === "linux")(
    "that cannot be made is told of, also where it seems to be missing for ever",
    async () => {
      await expect(makeFolder("/proc/nowhere/data")).rejects.toThrow("ENOENT");
    },
  );

  it("is not made below a file", async () => {
    const file = join(await emptyFolder(), "file");
    await writeFile(file, "");
    await expect(makeFolder(join(file, "data"))).rejects.toThrow("ENOTDIR");
  });
});

it.runIf(existsSync("/dev/full"))("a full disk is told of with the folder", async () => {
  const full: unknown = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  expect(errorCode(full)).toBe("ENOSPC");
  expect(writingTo("/backups/today", full)).toMatchObject({
    message: "/backups/today cannot be written: ENOSPC: no space left on device, write",
    cause: full,
  });
  const missing: unknown = await writeFile("/nowhere/x", "x").catch((error: unknown) => error);
  expect(writingTo("/backups/today", missing)).toBe(missing);
});

it.each([
  ["EACCES", "start Kurabe as its owner, or set another DATA_DIR"],
  ["EROFS", "make its disk writable, or set another DATA_DIR"],
  ["EIO", "set another DATA_DIR"],
])("a folder that cannot be used (%s) is told of with the mend", (code, mend) => {
  const { message } = unusable("/data", Object.assign(new Error("mkdir"), { code }));
  expect(message).toBe(`/data cannot be used (${code}): ${mend}`);
});

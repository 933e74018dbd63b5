import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { keepSecret } from "./kept-secret.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kept-secret-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("a secret in a file", () => {
  it("is made once, whole, for its owner alone, by however many ask at the same time", async () => {
    const folder = await emptyFolder();
    const path = join(folder, "deeper", "token");
    const asked = Array.from({ length: 20 }, (_, i) => keepSecret(path, () => `secret-${i}`));
    const [first, ...others] = await Promise.all(asked);
    expect(first).toMatch(/^secret-\d+$/);
    expect(new Set(others)).toEqual(new Set([first]));
    expect(await readFile(path, "utf8")).toBe(`${first}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "deeper"))).toEqual(["token"]);
  });

  it("is made once also where the file system has no hard links", async () => {
    const path = join(await emptyFolder(), "token");
    const noLinks = () => Promise.reject(new Error("EPERM: operation not permitted, link"));
    const make = (secret: string) => keepSecret(path, () => secret, noLinks);
    expect([await make("one"), await make("two")]).toEqual(["one", "one"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(path, "");
    await expect(make("three")).rejects.toThrow(`${path} is empty`);
  });

  it("is for the owner of the folder, also if root makes it", async () => {
    const folder = await emptyFolder();
    if (process.getuid?.() === 0) await chown(folder, 65_534, 65_534);
    await keepSecret(join(folder, "token"), () => "secret");
    expect((await stat(join(folder, "token"))).uid).toBe((await stat(folder)).uid);
  });

  it("says what to do where none can be kept", async () => {
    const folder = join(await emptyFolder(), "data");
    await writeFile(folder, "a file");
    await expect(keepSecret(join(folder, "token"), () => "secret")).rejects.toThrow(
      /token cannot be used \(ENOTDIR\): a file is .*DATA_DIR/,
    );
  });

  it("is not empty: such a file is refused by name", async () => {
    const path = join(await emptyFolder(), "token");
    await writeFile(path, "\n");
    await expect(keepSecret(path, () => "secret")).rejects.toThrow(`${path} is empty`);
  });
});

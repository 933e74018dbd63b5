import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkSharedLibraries } from "./cluster.ts";

let root: string;
let fallback: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kurabe-libraries-"));
  fallback = join(root, "elsewhere");
  await mkdir(join(root, "native/lib"), { recursive: true });
  await writeFile(join(root, "native/lib/libpq.so.5.18"), "library");
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  await writeFile(join(root, "native/pg-symlinks.json"), JSON.stringify(links));
});
afterEach(() => rm(root, { recursive: true }));

describe("the links between the libraries of Postgres", () => {
  it("are created where an install script did not, and once", async () => {
    expect(await linkSharedLibraries(root, fallback)).toEqual({});
    expect(await linkSharedLibraries(root, fallback)).toEqual({});
    expect(await readFile(join(root, "native/lib/libpq.so.5"), "utf8")).toBe("library");
  });

  it("go to a folder of ours when the package is read-only", async () => {
    const refuse: typeof symlink = async (source, target) => {
      if (!String(target).startsWith(fallback)) {
        throw Object.assign(new Error("read-only file system"), { code: "EROFS" });
      }
      await symlink(source, target);
    };
    const env = await linkSharedLibraries(root, fallback, refuse);
    expect(Object.values(env)).toEqual([`${fallback}:${root}/native/lib`]);
    expect(await readFile(join(fallback, "libpq.so.5"), "utf8")).toBe("library");
  });
});

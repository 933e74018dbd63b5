import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type postgres from "postgres";
import { requirePatch } from "../../src/db/open.ts";
import { must } from "../../src/lib/must.ts";
import { spawnScript } from "../support/processes.ts";
import { itLong } from "../support/it-long.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const url = "postgres://nobody@127.0.0.1:1/none";
let folder: string;

/** Kurabe as `npm ci --ignore-scripts` leaves it: the driver as its authors wrote it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kurabe-unpatched-"));
  for (const name of ["src", "drizzle", "package.json"]) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  const path = join(folder, "node_modules", "postgres");
  await cp(join(root, "node_modules", "postgres"), path, { recursive: true });
  for (const name of await readdir(join(root, "node_modules"))) {
    if (name === "postgres") continue;
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  const patch = await readFile(join(root, "infra/patches/postgres+3.4.9.patch"), "utf8");
  for (const part of patch.split(/^diff --git .*$/m).slice(1)) {
    const file = join(folder, must(/^\+\+\+ b\/(\S+)/m.exec(part)?.[1], "a file's name"));
    await writeFile(file, unpatched(await readFile(file, "utf8"), part));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Every hunk's new lines, replaced by its old ones. */
function unpatched(text: string, part: string): string {
  return part
    .split(/^@@ .*$/m)
    .slice(1)
    .reduce((whole, hunk) => {
      const lines = hunk.split("\n").slice(1, -1);
      const side = (left: string) =>
        lines.flatMap((line) => (line.startsWith(left) ? [] : [line.slice(1)])).join("\n");
      expect(whole).toContain(side("-"));
      return whole.replace(side("-"), () => side("+"));
    }, text);
}

describe("the driver's patch", () => {
  it("B34: is proven when a pool is opened", async () => {
    const entry = pathToFileURL(join(folder, "node_modules/postgres/src/index.js")).href;
    const { default: open } = (await import(entry)) as { default: typeof postgres };
    expect(() => requirePatch(open(url))).toThrow("infra/patches");
    const { default: patched } = await import("postgres");
    expect(() => requirePatch(patched(url))).not.toThrow();
  });

  itLong("B34: stops `kurabe` without it, in one line that says what to do", async () => {
    const kurabe = spawnScript(relative(root, join(folder, "src/main.ts")), ["api"], {
      cwd: folder,
      env: {
        DATABASE_URL: url,
        MEILI_HOST: "http://127.0.0.1:1",
        DATA_DIR: join(folder, "data"),
        PORT: "0",
      },
    });
    expect(await kurabe.ended).toBe(1);
    const lines = kurabe.stderr().trim().split("\n");
    expect(lines).toEqual([expect.stringMatching(/^kurabe: .*npx patch-package --patch-dir/)]);
  });
});

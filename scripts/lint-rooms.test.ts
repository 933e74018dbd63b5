import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** What our linter, with our settings, reports for a project of these files. */
async function lint(files: Record<string, string>): Promise<{ passes: boolean; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "kurabe-lint-"));
  folders.push(folder);
  const settings = await readFile(join(root, ".oxlintrc.json"), "utf8");
  const plugin = join(root, "scripts/lint-rooms.js");
  const all = {
    ...files,
    ".oxlintrc.json": settings.replace("./scripts/lint-rooms.js", plugin),
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const oxlint = join(root, "node_modules/.bin/oxlint");
  const run = spawnSync(oxlint, ["--deny-warnings"], { cwd: folder, encoding: "utf8" });
  return { passes: run.status === 0, output: run.stdout + run.stderr };
}

const value = "export const value = 1;\n";

describe("the linter", () => {
  it("passes an import in the direction of the rooms", async () => {
    const { output, passes } = await lint({
      "src/crawl/scoring/a.ts": value,
      "src/crawl/budget/b.ts": 'export { value } from "../scoring/a.ts";\n',
    });
    expect([passes, output]).toEqual([true, expect.any(String)]);
  });

  for (const [what, from, to] of [
    ["back up inside a stage", "crawl/scoring", "crawl/budget"],
    ["from one stage into a later one", "catalog", "search/index"],
    ["from the API into the pages", "api/products", "web/search"],
    ["from a room into the files above it", "search/engine", "search"],
  ] as const) {
    it(`refuses an import ${what}, its types alone included`, async () => {
      const specifier = `${"../".repeat(from.split("/").length)}${to}/a.ts`;
      for (const statement of [
        `export { value } from "${specifier}";\n`,
        `import type { value } from "${specifier}";\nexport type Value = typeof value;\n`,
        `export const load = () => import("${specifier}");\n`,
      ]) {
        const { output, passes } = await lint({
          [`src/${to}/a.ts`]: value,
          [`src/${from}/b.ts`]: statement,
        });
        expect(passes).toBe(false);
        expect(output).toContain(`src/${from} may not import src/${to}/a.ts`);
      }
    });
  }

  it("refuses a circle of two files, of types alone too", async () => {
    const { output, passes } = await lint({
      "src/lib/a.ts": 'import type { B } from "./b.ts";\nexport type A = B | 1;\n',
      "src/lib/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 2;\n',
    });
    expect(passes).toBe(false);
    expect(output).toContain("no-cycle");
  });

  it("refuses a package that belongs to another room", async () => {
    const { output, passes } = await lint({
      "src/crawl/a.ts": 'export { Hono } from "hono";\n',
    });
    expect(passes).toBe(false);
    expect(output).toContain("src/crawl may not import hono");
  });
});

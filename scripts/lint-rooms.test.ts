import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** What our linter, with our settings, reports for a project of these files: each file with its complaints. */
async function lint(files: Record<string, string>): Promise<Map<string, string>> {
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
  const run = spawnSync(oxlint, ["--deny-warnings", "--format=json"], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = report.parse(JSON.parse(run.stdout));
  expect([run.status === 0, run.stdout]).toEqual([diagnostics.length === 0, run.stdout]);
  const complaints = new Map<string, string>();
  for (const { filename, code, message } of diagnostics) {
    complaints.set(filename, `${complaints.get(filename) ?? ""}${code ?? ""} ${message}\n`);
  }
  return complaints;
}

const report = z.object({
  diagnostics: z.array(
    z.object({ filename: z.string(), code: z.string().optional(), message: z.string() }),
  ),
});

const value = "export const value = 1;\n";

/** Imports that the order of the rooms forbids: from the first room into the second. */
const forbidden = [
  ["back up inside a stage", "crawl/scoring", "crawl/budget"],
  ["from one stage into a later one", "catalog", "search/index"],
  ["from the API into the pages", "api/products", "web/search"],
  ["from a room into the files above it", "search/engine", "search"],
  ["from the files of a room into a room below", "catalog", "catalog/history"],
  ["from the words of a title into comparing", "matching/titles", "matching/comparing"],
  ["from one tab of the console into another", "web/ops/mirror", "web/ops/calls"],
] as const;

/** Ways to import it, by the name of the file that does. */
function importsOf(from: string, to: string): Record<string, string> {
  const specifier = `${"../".repeat(from.split("/").length)}${to}/a.ts`;
  const name = to.replaceAll("/", "-");
  return {
    [`src/${from}/exports-${name}.ts`]: `export { value } from "${specifier}";\n`,
    [`src/${from}/types-${name}.ts`]: `import type { value } from "${specifier}";\nexport type Value = typeof value;\n`,
    [`src/${from}/loads-${name}.ts`]: `export const load = () => import("${specifier}");\n`,
  };
}

describe("the linter", () => {
  let complaints: Map<string, string>;
  // One project with all faults: the linter takes seconds to start.
  beforeAll(async () => {
    const files: Record<string, string> = {
      "src/lib/a.ts": 'import type { B } from "./b.ts";\nexport type A = B | 1;\n',
      "src/lib/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 2;\n',
      "src/crawl/hono.ts": 'export { Hono } from "hono";\n',
    };
    for (const [, from, to] of forbidden) {
      Object.assign(files, { [`src/${to}/a.ts`]: value }, importsOf(from, to));
    }
    complaints = await lint(files);
  });

  it("passes an import in the direction of the rooms", async () => {
    const files = {
      "src/crawl/scoring/a.ts": value,
      "src/crawl/budget/b.ts": 'export { value } from "../scoring/a.ts";\n',
    };
    expect(await lint(files)).toEqual(new Map());
  });

  it.each(forbidden)("refuses an import %s, its types alone included", (_what, from, to) => {
    for (const file of Object.keys(importsOf(from, to))) {
      expect([file, complaints.get(file)]).toEqual([
        file,
        expect.stringContaining(`may not import src/${to}/a.ts`),
      ]);
    }
    expect(complaints.get(`src/${to}/a.ts`)).toBeUndefined();
  });

  it("refuses a circle of two files, of types alone too", () => {
    expect(complaints.get("src/lib/a.ts")).toContain("no-cycle");
  });

  it("refuses a package that belongs to another room", () => {
    expect(complaints.get("src/crawl/hono.ts")).toContain("src/crawl may not import hono");
  });
});

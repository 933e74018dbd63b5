import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "second-tries-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What vitest prints over one file of these tests, each allowed a second try. */
async function outputOf(tests: string): Promise<string> {
  const reporter = join(root, "test/support/second-tries.ts");
  const config = `
    import { secondTries } from ${JSON.stringify(reporter)};
    export default { test: { include: ["*.test.js"], retry: 1, reporters: ["default", secondTries] } };`;
  await writeFile(join(folder, "vitest.config.js"), config);
  const head = 'import { describe, expect, it } from "vitest";\nlet tries = 0;\n';
  await writeFile(join(folder, "some.test.js"), head + tests);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const ran = promisify(execFile)(process.execPath, [vitest, "run"], { cwd: folder });
  return (await ran).stdout;
}

describe("a test that needed its second try", () => {
  it("is printed by name at the end of the run, and the others are not", async () => {
    const output = await outputOf(`
      describe("a thing", () => {
        it("works now and then", () => expect(++tries).toBe(2));
        it("works", () => {});
      });`);
    const [, end] = output.split("Duration");
    expect(end).toContain("needed a second try: some.test.js > a thing > works now and then\n");
    expect(end).toContain("  because: expected 1 to be 2");
    expect(end).toContain("tests that needed a second try: 1\n");
    expect(end).not.toContain("> works\n");
  });

  it("is counted as none where there is none", async () => {
    const output = await outputOf('it("works", () => {});');
    expect(output).toContain("tests that needed a second try: 0\n");
  });
});

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

it("a build takes no file away from a process that starts meanwhile, nor from another build", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as {
    scripts: { build: string };
  };
  const [, program = ""] = /node -e "(.*)"$/.exec(scripts.build) ?? [];
  const cwd = await mkdtemp(join(tmpdir(), "kurabe-build-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const source = join(cwd, "src/web/assets");
  const built = join(cwd, "dist/web/assets");
  for (const folder of [source, built]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "a.css"), "");
  }
  await writeFile(join(cwd, "dist/main.js"), "");
  await writeFile(join(built, "b.css"), "b {}");
  await writeFile(join(source, "a.css"), "a {}");
  await promisify(execFile)(process.execPath, ["-e", program], { cwd });
  expect(await readFile(join(built, "b.css"), "utf8")).toBe("b {}");
  expect(await readFile(join(built, "a.css"), "utf8")).toBe("a {}");
});

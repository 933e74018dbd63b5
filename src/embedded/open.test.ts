import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { registerUser } from "./open.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kurabe-users-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

it("a process that has ended is forgotten, and what is not ours is left alone", async () => {
  const run = join(dataDir, "run");
  await mkdir(join(run, "copy"), { recursive: true });
  await writeFile(join(run, "notes-1.txt"), "");
  await writeFile(join(run, "999999999-0123abcd"), "long ago");
  const users = await registerUser(dataDir);
  const others = await registerUser(dataDir);

  expect(await users.countOthers()).toBe(1);
  await others.leave();
  expect(await users.countOthers()).toBe(0);
  await users.leave();
  expect((await readdir(run)).toSorted()).toEqual(["copy", "notes-1.txt"]);
});

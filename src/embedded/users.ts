import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { must } from "../lib/must.ts";
import { unlessMissing } from "../lib/files.ts";
import { findProcess } from "./process-table.ts";

/** `<pid>-<random>`; whatever else lies in the folder is not ours. */
const userFile = /^(\d+)-[0-9a-f]{8}$/;

/**
 * Notes this process as one that uses the servers of a DATA_DIR: one file `run/<pid>-<random>` each. Call all
 * of it only under the lock.
 */
export async function registerUser(dataDir: string) {
  const folder = join(dataDir, "run");
  await mkdir(folder, { recursive: true });
  const self = must(findProcess(process.pid), "this process in the process table");
  const name = `${process.pid}-${randomBytes(4).toString("hex")}`;
  await writeFile(join(folder, name), self.startedAt, { mode: 0o600 });

  return {
    leave: () => rm(join(folder, name), { force: true }),
    /** Other processes that are alive. Removes the files of dead ones. */
    async countOthers(): Promise<number> {
      let count = 0;
      for (const file of (await unlessMissing(readdir(folder))) ?? []) {
        const pid = userFile.exec(file)?.[1];
        if (pid === undefined || file === name) continue;
        const startedAt = await readFile(join(folder, file), "utf8");
        if (findProcess(Number(pid))?.startedAt === startedAt) count += 1;
        else await rm(join(folder, file), { force: true });
      }
      return count;
    },
  };
}

import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { must } from "../lib/must.ts";
import { findProcess } from "./process-table.ts";

/** Who uses the servers of a DATA_DIR: a file `run/<pid>-<random>` each. Call only under the lock. */
export interface Users {
  leave(): Promise<void>;
  /** Others whose process still lives; the files of dead ones are removed on the way. */
  countOthers(): Promise<number>;
}

export async function registerUser(dataDir: string): Promise<Users> {
  const folder = join(dataDir, "run");
  await mkdir(folder, { recursive: true });
  const self = must(findProcess(process.pid), "this process in the process table");
  const name = `${process.pid}-${randomBytes(4).toString("hex")}`;
  await writeFile(join(folder, name), self.startedAt, { mode: 0o600 });

  return {
    leave: () => rm(join(folder, name), { force: true }),
    async countOthers() {
      let count = 0;
      for (const file of await readdir(folder)) {
        if (file === name) continue;
        const startedAt = await readFile(join(folder, file), "utf8");
        if (findProcess(Number(file.split("-")[0]))?.startedAt === startedAt) count += 1;
        else await rm(join(folder, file), { force: true });
      }
      return count;
    },
  };
}

import { readdir, readFile } from "node:fs/promises";
import { findProcess, stopProcess } from "../../src/embedded/process-table.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** Kills every process that was told of a path below `dir`, in its arguments or its environment. */
export async function killBelow(dir: string): Promise<void> {
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const info = findProcess(pid);
    if (!info) continue;
    if (info.command.includes(`${dir}/`) || (await environmentOf(pid)).includes(`${dir}/`)) {
      await stopProcess(info, { SIGKILL: 5_000 }, systemClock);
    }
  }
}

async function environmentOf(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

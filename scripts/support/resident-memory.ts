import { readFile } from "node:fs/promises";
import { systemClock } from "../../src/lib/clock.ts";

/** Resident memory of a process in MiB; only on Linux. 0 once it has ended. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Follows the memory of a process until the answer is called, which tells the most in MiB. */
export function watchMemory(pid: number): () => Promise<number> {
  const over = new AbortController();
  const watch = async () => {
    let mostMiB = 0;
    while (!over.signal.aborted) {
      mostMiB = Math.max(mostMiB, await residentMiB(pid));
      await systemClock.sleep(50, over.signal);
    }
    return mostMiB;
  };
  const watched = watch();
  return () => {
    over.abort();
    return watched;
  };
}

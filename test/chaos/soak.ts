import { readdir, readFile } from "node:fs/promises";
import { quantileOf } from "../../src/lib/quantile.ts";
import type { Slot } from "./fleet.ts";

export interface Sample {
  minute: number;
  rssMiB: number;
  files: number;
}

/** What a process holds of the machine: resident memory and open file descriptors. */
export async function sample(slot: Slot, minute: number): Promise<Sample> {
  const { pid } = slot.process();
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { minute, rssMiB: kib / 1024, files: (await readdir(`/proc/${pid}/fd`)).length };
}

/** The second third of the time beside the last one: growth beyond noise, in words; null when flat. */
export function growth(samples: readonly Sample[]): string | null {
  const third = Math.floor(samples.length / 3);
  const before = samples.slice(third, 2 * third);
  const after = samples.slice(2 * third);
  const rss = [before, after].map((part) =>
    quantileOf(
      part.map((one) => one.rssMiB),
      0.5,
    ),
  );
  const files = [before, after].map((part) =>
    quantileOf(
      part.map((one) => one.files),
      0.5,
    ),
  );
  const [rssBefore = 0, rssAfter = 0] = rss;
  const [filesBefore = 0, filesAfter = 0] = files;
  if (rssAfter > rssBefore * 1.15 + 15) {
    return `memory grew from ${rssBefore.toFixed(0)} to ${rssAfter.toFixed(0)} MiB`;
  }
  if (filesAfter > filesBefore + 20) return `open files grew from ${filesBefore} to ${filesAfter}`;
  return null;
}

import type { Bench } from "../src/bench/bench.ts";
import { withScratchServer } from "../src/cli/scratch-database.ts";
import { systemClock } from "../src/lib/clock.ts";

/** Runs `work` with scratch databases; it ends at the first Ctrl-C, and they are removed. */
export async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  const { env, stdout, stderr } = process;
  const { signal } = stopping;
  await withScratchServer({ env, signal, stdout, stderr }, ({ withDatabase }) =>
    work({
      print: (line) => void stdout.write(`${line}\n`),
      note: (line) => void stderr.write(`${line}\n`),
      withDatabase,
      clock: systemClock,
      signal,
    }),
  );
}

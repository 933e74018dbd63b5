import type { Bench } from "../../src/bench/play/bench.ts";
import { withScratchServer } from "../../src/cli/bench/scratch-database.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** Runs `work` with scratch databases; they are removed, also after Ctrl-C or SIGTERM. */
export async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stopping.abort());
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

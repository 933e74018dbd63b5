import type { Bench } from "../../src/bench/play/policies.ts";
import { withScratchServer, type ScratchServer } from "../../src/cli/bench/scratch-database.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** Runs `work` with scratch databases; they are removed, also after Ctrl-C or SIGTERM. */
export function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  return withScratch(({ withDatabase: lend }, signal) =>
    work({
      print: (line) => void process.stdout.write(`${line}\n`),
      note: (line) => void process.stderr.write(`${line}\n`),
      withDatabase: lend,
      clock: systemClock,
      signal,
    }),
  );
}

/** The same with an empty, migrated database; `postgresSettings` are added to those of all benches. */
export function withDatabase(
  work: (db: Db) => Promise<void>,
  postgresSettings: Record<string, string> = {},
): Promise<void> {
  return withScratch(
    (server, signal) =>
      server.withDatabase((db) => Promise.race([work(db), rejectedWhenAborted(signal)])),
    postgresSettings,
  );
}

function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function withScratch(
  work: (server: ScratchServer, signal: AbortSignal) => Promise<void>,
  postgresSettings: Record<string, string> = {},
): Promise<void> {
  const stopping = new AbortController();
  // Not once: the programs that start a script pass the signal on, so it comes several times.
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => stopping.abort());
  process.stdout.on("error", () => stopping.abort());
  const { env, stdout, stderr } = process;
  const { signal } = stopping;
  const use = (server: ScratchServer) => work(server, signal);
  return withScratchServer({ env, signal, stdout, stderr }, use, { keep: null, postgresSettings });
}

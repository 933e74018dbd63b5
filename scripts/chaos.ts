/**
 * Chaos test: real servers, a sandbox upstream and several Kurabes under load. One thing after another
 * is killed, cut off or paused; after each, thirteen invariants are checked.
 *
 *   npm run chaos -- [--rounds 20] [--seed 1] [--soak MINUTES] [--only TEXT]
 *
 * With `--large`, the site has two APIs, three workers, a streaming replica, three search hosts with two
 * copies and, where its program is told, pgbouncer; hosts, replica and pooler are lost as well.
 *
 *   npm run chaos -- --large --rounds 100 [--pgbouncer /usr/sbin/pgbouncer] [--seed 1] [--only TEXT]
 *
 * With `--lasting`, one subject at a time fails during a whole run; measured is the pace of everything
 * else, as a share of a run without failures. `--list` says which case tests what.
 *
 *   npm run chaos -- --lasting [--seed 1] [--only TEXT]
 *   npm run chaos -- --list
 */
import { coverageGaps, listCoverage } from "../test/chaos/lasting/all-cases.ts";
import { runLasting } from "../test/chaos/lasting/run.ts";
import { runChaos } from "../test/chaos/run.ts";
import { readArguments } from "./support/arguments.ts";

const values = readArguments({
  rounds: 20,
  seed: 1,
  soak: 0,
  only: null,
  large: false,
  pgbouncer: null,
  lasting: false,
  list: false,
});

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.abort());
stopping.signal.addEventListener("abort", () => {
  process.stdout.write("interrupted: the present round is the last\n");
});

const print = (line: string) => void process.stdout.write(`${line}\n`);
const shared = {
  seed: values.seed,
  only: values.only,
  signal: stopping.signal,
  print,
};

function list(): number {
  for (const line of [...listCoverage(), ...coverageGaps()]) print(line);
  return coverageGaps().length;
}

function play(): Promise<number> {
  if (values.lasting) return runLasting(shared);
  const large = values.large ? { pgbouncer: values.pgbouncer, searchHosts: 3 } : null;
  return runChaos({ ...shared, rounds: values.rounds, soakMinutes: values.soak, large });
}
process.exit((values.list ? list() : await play()) === 0 ? 0 : 1);

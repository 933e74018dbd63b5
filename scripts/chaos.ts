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
 *   npm run chaos -- --lasting [--list] [--seed 1] [--only TEXT]
 */
import { parseArgs } from "node:util";
import { coverageGaps, listCoverage } from "../test/chaos/lasting/all-cases.ts";
import { runLasting } from "../test/chaos/lasting/run.ts";
import { runChaos } from "../test/chaos/run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    soak: { type: "string", default: "0" },
    only: { type: "string" },
    large: { type: "boolean", default: false },
    pgbouncer: { type: "string" },
    lasting: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.abort());
stopping.signal.addEventListener("abort", () => {
  process.stdout.write("interrupted: the present round is the last\n");
});

const print = (line: string) => void process.stdout.write(`${line}\n`);
const shared = {
  seed: Number(values.seed),
  only: values.only ?? null,
  signal: stopping.signal,
  print,
};

function list(): number {
  for (const line of [...listCoverage(), ...coverageGaps()]) print(line);
  return coverageGaps().length;
}

const play = () =>
  values.lasting
    ? values.list
      ? list()
      : runLasting(shared)
    : runChaos({
        ...shared,
        rounds: Number(values.rounds),
        soakMinutes: Number(values.soak),
        large: values.large ? { pgbouncer: values.pgbouncer ?? null, searchHosts: 3 } : null,
      });
process.exit((await play()) === 0 ? 0 : 1);

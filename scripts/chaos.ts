/**
 * Proof under fire: real servers, a sandbox upstream and several Kurabes under load, of which one
 * thing after another is killed, cut or paused; after each, twelve invariants are asked.
 *
 *   npm run chaos -- [--rounds 20] [--seed 1] [--soak MINUTES] [--only TEXT]
 */
import { parseArgs } from "node:util";
import { runChaos } from "../test/chaos/run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    soak: { type: "string", default: "0" },
    only: { type: "string" },
  },
});

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.abort());
stopping.signal.addEventListener("abort", () => {
  process.stdout.write("interrupted: the round under way is the last\n");
});

const violations = await runChaos({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  soakMinutes: Number(values.soak),
  only: values.only ?? null,
  signal: stopping.signal,
  print: (line) => process.stdout.write(`${line}\n`),
});
process.exit(violations === 0 ? 0 : 1);

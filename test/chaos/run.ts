import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantileOf } from "../../src/lib/quantile.ts";
import { must } from "../../src/lib/must.ts";
import { createRandom } from "../../src/lib/random.ts";
import { killBelow } from "../support/kill-below.ts";
import { raceForBudget } from "./budget-race.ts";
import { controls } from "./controls.ts";
import { playRound } from "./play.ts";
import { largeSiteRounds } from "./large-site-rounds.ts";
import type { LargeSiteOptions } from "./large-site.ts";
import { createReport, type Report } from "./report.ts";
import {
  backendsRound,
  crashRounds,
  killRound,
  networkRound,
  otherRounds,
  roundsOfAnySite,
  type Round,
} from "./rounds.ts";
import { growth, sample, type Sample } from "./soak.ts";
import { openWorld, type World } from "./world.ts";

export interface ChaosOptions {
  seed: number;
  /** Random kills, besides every crash point and every other fault once. */
  rounds: number;
  /** Above 0: random faults for so long instead, while memory and files are watched. */
  soakMinutes: number;
  /** Two APIs, three workers, a replica, a pooler and several search hosts; null: a site of one host. */
  large: LargeSiteOptions | null;
  /** Only rounds whose name contains this. */
  only: string | null;
  /** Ends the run early, with everything it started. */
  signal: AbortSignal;
  print(line: string): void;
}

const settleEvery = 20;

/** Plays all rounds; resolves with the number of violations, each of which was printed. */
export async function runChaos(options: ChaosOptions): Promise<number> {
  const { seed, print } = options;
  const dir = await mkdtemp(join(await realpath(tmpdir()), "kurabe-chaos-"));
  await chmod(dir, 0o755);
  const report = createReport();
  try {
    print(`seed ${seed}`);
    const site = options.large ? { apis: 2, large: options.large } : {};
    const world = await openWorld({ dataDir: join(dir, "world"), seed, workers: 3, ...site });
    try {
      await Promise.all(world.fleet.slots.map((slot) => slot.ready()));
      await world.settle();
      await world.rest();
      if (options.soakMinutes > 0) await soak(world, options, report);
      else await playAll(world, options, report);
      const goesOn = options.only === null && options.large === null && !options.signal.aborted;
      if (goesOn) await playControls(world, options, report);
    } finally {
      await world.close();
    }
    const goesOn = options.only === null && options.large === null && !options.signal.aborted;
    if (goesOn && options.soakMinutes === 0) await playBudget(dir, options, report);
  } catch (error) {
    // What the rounds before have shown is told all the same.
    report.fail("the run", error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await killBelow(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  for (const line of report.lines()) print(line);
  print(report.failures() === 0 ? "no violation" : `${report.failures()} violations, seed ${seed}`);
  return report.failures();
}

async function playAll(world: World, options: ChaosOptions, report: Report): Promise<void> {
  const { seed, rounds, only, print } = options;
  const random = createRandom(seed);
  const kills = Array.from({ length: rounds }, () => killRound(random));
  const others = options.large
    ? [...roundsOfAnySite(random), ...largeSiteRounds(random)]
    : [...crashRounds, ...otherRounds(random)];
  const all = random
    .shuffled([...others, ...kills])
    .filter((round) => only === null || round.name.includes(only));
  for (const [i, round] of all.entries()) {
    if (options.signal.aborted) break;
    const settle = i % settleEvery === settleEvery - 1 || i === all.length - 1;
    const line = await playRound(world, round, report, { settle });
    print(`${String(i + 1).padStart(4)}/${all.length}  ${line}`);
  }
  print(`${world.fleet.kills()} processes killed; users were answered: ${answersOf(world)}`);
  for (const [cause, times] of world.faults()) print(`answered 500, ${times} times: ${cause}`);
}

async function playControls(world: World, options: ChaosOptions, report: Report): Promise<void> {
  for (const control of controls) {
    const failure = await control.fails(world.servers);
    if (failure === null) report.fail(control.name, "the naive way got through: nothing is proven");
    options.print(`control  ${control.name}: ${failure ?? "did not fail"}`);
  }
}

async function playBudget(dir: string, options: ChaosOptions, report: Report): Promise<void> {
  const race = await raceForBudget({ dataDir: join(dir, "budget"), seed: options.seed });
  for (const text of race.violations) report.fail("8 processes at the end of the day", text);
  options.print(
    `8 processes at the end of the day: ${race.arrived} calls arrived, limit ${race.limit}, ${race.kills} killed`,
  );
}

const sampleEveryMs = 5000;

/** The API and the first worker are spared, so that what they hold can be compared over time. */
async function soak(world: World, options: ChaosOptions, report: Report): Promise<void> {
  const { fleet } = world;
  const random = createRandom(options.seed);
  const spared = [fleet.api(), must(fleet.workers()[0], "a worker")];
  const samples = new Map<string, Sample[]>(spared.map((slot) => [slot.name, []]));
  const began = performance.now();
  const minute = () => (performance.now() - began) / 60_000;
  const watching = setInterval(() => {
    for (const slot of spared) {
      void sample(slot, minute()).then(
        (one) => samples.get(slot.name)?.push(one),
        (error: unknown) =>
          report.fail(slot.name, `was not there to be measured: ${String(error)}`),
      );
    }
  }, sampleEveryMs);
  const others = fleet.workers().slice(1);
  const rounds = [
    () => backendsRound(random),
    () => networkRound(random),
    () => sparingKill(random, others),
  ];
  for (let i = 1; minute() < options.soakMinutes && !options.signal.aborted; i += 1) {
    const round = random.pick(rounds)();
    options.print(
      `${minute().toFixed(1)} min  ${await playRound(world, round, report, { settle: i % 5 === 0 })}`,
    );
  }
  clearInterval(watching);
  for (const [name, taken] of samples) {
    const grown = growth(taken);
    if (grown) report.fail(name, grown);
    const of = (pick: (one: Sample) => number) => {
      const numbers = taken.map(pick);
      return `${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)}, median ${quantileOf(numbers, 0.5).toFixed(0)}`;
    };
    options.print(
      `${name}: memory ${of((one) => one.rssMiB)} MiB; open files ${of((one) => one.files)}; ${grown ?? "flat"}`,
    );
  }
}

function sparingKill(
  random: ReturnType<typeof createRandom>,
  slots: World["fleet"]["slots"],
): Round {
  const slot = random.pick(slots);
  return {
    name: "kill -9",
    play: async () => {
      slot.kill();
      return slot.name;
    },
  };
}

function answersOf({ load }: World): string {
  return [...load.answers()].map(([status, times]) => `${status} ${times} times`).join(", ");
}

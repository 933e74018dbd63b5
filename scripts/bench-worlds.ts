import { join } from "node:path";
import { playNoted, type Bench } from "../src/bench/play/policies.ts";
import { freshnessBounds, type Bounds } from "../src/bench/bound.ts";
import { callsPerFeed } from "../src/bench/tables.ts";
import { readTraceWorld } from "../src/bench/worlds/trace.ts";
import { meanOf } from "./relevance/measures.ts";
import { judged, toVerdict } from "./worlds/verdict.ts";
import type { World } from "../src/bench/worlds/world.ts";
import { listedWorlds } from "./worlds/worlds.ts";
import { readArguments } from "./support/arguments.ts";
import { withBench } from "./support/scratch.ts";

/**
 * Plays the planner, with and without traits and with true rates, and all simple policies in eleven made
 * worlds, and in a recorded one if its folder is given, under uniform and Zipf importance. The last column
 * says what does not hold.
 *
 *   npx tsx scripts/bench-worlds.ts [--items 1000] [--days 15] [--seeds 1,2] [--calls 6,20] [--only TEXT]
 *   npx tsx scripts/bench-worlds.ts --data FOLDER [--days 30] [--calls 30,100,300]
 */
const values = readArguments({
  items: 1000,
  days: null,
  seeds: "1",
  calls: null,
  only: "",
  data: null,
});
const numbers = (text: string) => text.split(",").map(Number);
const importances = ["uniform", "zipf"] as const;

interface Cell {
  title: string;
  isTelling: boolean | null;
  callsPerDay: number;
  /** One for each seed. */
  worlds: World[];
}

async function* cells(): AsyncGenerator<Cell> {
  const { data, only } = values;
  if (data !== null) {
    const files = {
      catalog: join(data, "grocery-catalog.jsonl.gz"),
      changes: join(data, "grocery-changes.jsonl.gz"),
    };
    for (const callsPerDay of numbers(values.calls ?? "30,100,300")) {
      for (const importance of importances) {
        const worlds = [await readTraceWorld(files, importance, Number(values.days ?? 30))];
        yield { title: `recorded, ${importance}`, isTelling: null, callsPerDay, worlds };
      }
    }
    return;
  }
  const scale = { items: values.items, days: Number(values.days ?? 15) };
  for (const listed of listedWorlds.filter(({ name }) => name.includes(only))) {
    for (const importance of importances) {
      const worlds = numbers(values.seeds).map((seed) =>
        listed.create({ ...scale, seed }, importance),
      );
      for (const callsPerDay of numbers(values.calls ?? "6,20")) {
        const { name, isTelling } = listed;
        yield { title: `${name}, ${importance}`, isTelling, callsPerDay, worlds };
      }
    }
  }
}

const line = (...columns: string[]) => `| ${columns.join(" | ")} |`;

async function play(cell: Cell, bench: Bench): Promise<void> {
  const { title, callsPerDay, worlds, isTelling } = cell;
  const feedEvery = isTelling === null ? callsPerFeed : 0;
  const freshness: Partial<Record<(typeof judged)[number], number>> = {};
  for (const name of judged) {
    const reached: number[] = [];
    for (const world of worlds) {
      const outcome = await playNoted(bench, world, name, { callsPerDay, feedEvery });
      reached.push(outcome.freshness);
    }
    freshness[name] = meanOf(reached);
  }
  const all = worlds.map((world) => freshnessBounds(world, callsPerDay));
  const bound = (of: keyof Bounds) => meanOf(all.map((one) => one[of]));
  const bounds = { unsignalled: bound("unsignalled"), clairvoyant: bound("clairvoyant") };
  const whole = freshness as Required<typeof freshness>; // every judged policy was played
  const { bestSimple, gapClosed, breaches } = toVerdict(whole, bounds, isTelling);
  const show = (value: number) => value.toFixed(3);
  bench.print(
    line(
      title,
      String(callsPerDay),
      show(whole.planner),
      show(whole.oracle),
      show(whole.blind),
      gapClosed === null ? "–" : `${Math.round(100 * gapClosed)}%`,
      show(bounds.unsignalled),
      show(bounds.clairvoyant),
      `${show(whole[bestSimple])} ${bestSimple}`,
      breaches.join("; "),
    ),
  );
}

await withBench(async (bench) => {
  const titles = "planner | true rates | without traits | gap closed | unsignalled | clairvoyant";
  bench.print(`| world | calls a day | ${titles} | best simple policy | does not hold |`);
  bench.print(line(...Array.from({ length: 10 }, () => "---")));
  for await (const cell of cells()) await play(cell, bench);
});

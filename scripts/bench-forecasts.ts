import { playNoted } from "../src/bench/play/policies.ts";
import { listedWorlds } from "./worlds/worlds.ts";
import { readForecasts } from "../src/crawl/forecasts.ts";
import { readArguments } from "./support/arguments.ts";
import { withBench } from "./support/scratch.ts";

/**
 * Plays every second listed world for many days, and counts how many of the daily forecasts of changes
 * held: of bounds that four out of five keep, 70 to 90%.
 *
 *   npx tsx scripts/bench-forecasts.ts [--items 500 --days 200 --calls 6 --seed 1]
 */
const { items, days, calls, seed } = readArguments({ items: 500, days: 200, calls: 6, seed: 1 });

await withBench(async (bench) => {
  bench.print("| world | forecasts | held | expected changes | seen |");
  bench.print("| --- | --- | --- | --- | --- |");
  for (const listed of listedWorlds.filter((_, place) => place % 2 === 1)) {
    const world = listed.create({ items, days, seed }, "zipf");
    const withDatabase: typeof bench.withDatabase = (work) =>
      bench.withDatabase(async (db) => {
        const outcome = await work(db);
        const forecasts = await readForecasts(db, 1e6);
        const held = forecasts.filter((one) => one.held).length;
        const sum = (of: (one: (typeof forecasts)[number]) => number) =>
          forecasts.reduce((total, one) => total + of(one), 0);
        const share =
          forecasts.length > 0 ? `${((100 * held) / forecasts.length).toFixed(0)}%` : "–";
        const middle = sum((one) => (one.low + one.high) / 2).toFixed(0);
        const columns = [world.name, forecasts.length, share, middle, sum((one) => one.changes)];
        bench.print(`| ${columns.join(" | ")} |`);
        return outcome;
      });
    await playNoted({ ...bench, withDatabase }, world, "planner", { callsPerDay: calls });
  }
});

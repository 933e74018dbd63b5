import { playNoted } from "../src/bench/play/policies.ts";
import type { Outcome } from "../src/bench/play/meter.ts";
import { createSyntheticWorld, toScale, type WorldRules } from "../src/bench/worlds/synthetic.ts";
import { readArguments } from "./support/arguments.ts";
import { withBench } from "./support/scratch.ts";

/**
 * How many deletions are noticed within 24 hours, by round-robin and by the planner with and without a
 * weight for deleted products, with few, some and many calls, and what the weight costs in freshness.
 *
 *   npx tsx scripts/bench-deletions.ts [--items 1000 --days 15 --seed 11]
 */
const scale = toScale(readArguments({ items: 1000, days: 15, seed: 11 }));

const deletions = { birthsPerDay: 0.02, deathsPerDay: 0.02, importance: "zipf" } as const;
const even = { name: "40 even shops, 80% bump", shopSizes: "even", bumpShare: 0.8 } as const;
const worlds: readonly { rules: Partial<WorldRules>; calls: readonly number[] }[] = [
  { rules: { ...deletions, ...even }, calls: [4, 15, 45] },
  { rules: { ...deletions, name: "heavy-tailed shops" }, calls: [4, 15, 45] },
  {
    rules: { ...deletions, name: "a huge shop, no bumps", shopSizes: "one-huge", bumpShare: 0 },
    calls: [4, 15, 45],
  },
  {
    rules: { ...deletions, name: "shops close", deathsPerDay: 0.002, closingsPerDay: 0.02 },
    calls: [4, 15, 45],
  },
];

await withBench(async (bench) => {
  bench.print("| world | calls a day | round-robin | planner, weight 1 | planner |");
  bench.print("| --- | --- | --- | --- | --- |");
  for (const { rules, calls } of worlds) {
    const world = createSyntheticWorld({ ...scale, ...rules });
    for (const callsPerDay of calls) {
      const show = ({ deleted_noticed_24h: noticed, stale_deleted: stale, freshness }: Outcome) =>
        `${(100 * noticed).toFixed(0)}%, ${(100 * stale).toFixed(1)}% shown, fresh ${freshness.toFixed(3)}`;
      const simple = await playNoted(bench, world, "round-robin", { callsPerDay });
      const unweighed = await playNoted(bench, world, "planner", { callsPerDay, goneWeight: 1 });
      const planner = await playNoted(bench, world, "planner", { callsPerDay });
      const columns = [world.name, callsPerDay, show(simple), show(unweighed), show(planner)];
      bench.print(`| ${columns.join(" | ")} |`);
    }
  }
});

import { playNoted, policies, type Bench, type PolicyName } from "./play/policies.ts";
import { freshnessBounds, type Bounds } from "./bound.ts";
import type { Outcome } from "./play/meter.ts";
import { createSyntheticWorld, type Scale, type WorldRules } from "./worlds/synthetic.ts";
import type { World } from "./worlds/world.ts";

const callRates = [0.05, 0.3, 1, 3];
const titleWidth = 48;

const share = (value: number) => value.toFixed(3);
const ratio = (over: Outcome | undefined, under: Outcome | undefined) =>
  ((over?.freshness ?? NaN) / (under?.freshness ?? NaN)).toFixed(2);
const row = (title: string, values: readonly string[], width: number) =>
  title.padEnd(titleWidth) + values.map((value) => value.padStart(width)).join("");

/** Calls a day that would observe each item `r` times a day if every call were full. */
function callsAt(r: number, { items }: Scale): number {
  return Math.max(1, Math.round((r * items) / 50));
}

const mainRows: readonly PolicyName[] = [
  "round-robin",
  "oldest",
  "oldest-fullest",
  "importance-age",
  "planner",
  "oracle",
];

/** See `freshnessBounds`. */
const bounds: Record<keyof Bounds, string> = {
  unsignalled: "bound: even checks at true rates, no signals",
  clairvoyant: "bound: all changes known in advance",
};

/** Freshness of every policy, importance independent of the change rate or correlated with it (0.6). */
export async function printMainTable(scale: Scale, bench: Bench): Promise<void> {
  const { print } = bench;
  const worlds = [0, 0.6].map((correlation) =>
    createSyntheticWorld({ ...scale, correlation, name: `importance correlated ${correlation}` }),
  );
  print(
    `Freshness, importance independent / correlated 0.6 with change rate (${scale.items} items, ${scale.days} days, the first ${scale.warmupDays} not counted)`,
  );
  print(
    row(
      "policy",
      callRates.map((r) => `r = ${r}`),
      13,
    ),
  );
  const results = new Map<PolicyName, Outcome[][]>();
  for (const name of mainRows) {
    const outcomes: Outcome[][] = [];
    for (const r of callRates) {
      const pair: Outcome[] = [];
      for (const world of worlds) {
        pair.push(await playNoted(bench, world, name, { callsPerDay: callsAt(r, scale) }));
      }
      outcomes.push(pair);
    }
    results.set(name, outcomes);
    const values = outcomes.map((pair) => pair.map((o) => share(o.freshness)).join("/"));
    print(row(policies[name], values, 13));
  }
  const atMost = callRates.map((r) =>
    worlds.map((world) => freshnessBounds(world, callsAt(r, scale))),
  );
  for (const bound of ["unsignalled", "clairvoyant"] as const) {
    const values = atMost.map((pair) => pair.map((of) => share(of[bound])).join("/"));
    print(row(bounds[bound], values, 13));
  }
  const planner = results.get("planner") ?? [];
  for (const name of ["oracle", "round-robin", "importance-age"] as const) {
    const values = planner.map((pair, i) =>
      pair.map((outcome, j) => ratio(outcome, results.get(name)?.[i]?.[j])).join("/"),
    );
    print(row(`planner over ${policies[name]}`, values, 13));
  }
}

const regimes: readonly { title: string; rules: Partial<WorldRules>; dayEndsAt?: number }[] = [
  { title: "80% of changes bump modified", rules: { bumpShare: 0.8 } },
  { title: "no change bumps modified", rules: { bumpShare: 0 } },
  { title: "half of the keywords cover nothing", rules: { emptyKeywords: 0.5 } },
  { title: "rates change at mid-run", rules: { ratesChange: true } },
  { title: "a shop with 5/8 of all items", rules: { shopSizes: "one-huge" } },
  { title: "all shops of one item", rules: { shopSizes: "single-items" } },
  { title: "the day ends at 60% of its limit", rules: {}, dayEndsAt: 0.6 },
];

/** Worlds that contradict what the planner assumes. */
export async function printRegimeTable(scale: Scale, bench: Bench): Promise<void> {
  const { print } = bench;
  print("");
  print("Regimes: freshness of the planner / importance x age / round-robin");
  const rates = [0.3, 1];
  print(
    row(
      "regime",
      rates.map((r) => `r = ${r}`),
      21,
    ),
  );
  for (const { title, rules, dayEndsAt } of regimes) {
    const world = createSyntheticWorld({ ...scale, ...rules, name: title });
    const values: string[] = [];
    for (const r of rates) {
      const callsPerDay = callsAt(r, scale);
      const refusedFrom = dayEndsAt === undefined ? undefined : Math.round(callsPerDay * dayEndsAt);
      const shares: string[] = [];
      for (const name of ["planner", "importance-age", "round-robin"] as const) {
        const { freshness } = await playNoted(bench, world, name, { callsPerDay, refusedFrom });
        shares.push(share(freshness));
      }
      values.push(shares.join("/"));
    }
    print(row(title, values, 21));
  }
}

/** A policy without a feed of its own uses every tenth call for one. */
export const callsPerFeed = 10;

const traceRows: readonly PolicyName[] = [
  "round-robin",
  "oldest",
  "importance-age",
  "planner",
  "oracle",
];

/** A recorded catalogue at several budgets. */
export async function printTraceTable(
  world: World,
  budgets: readonly number[],
  bench: Bench,
): Promise<void> {
  const { print } = bench;
  const days = Math.round(world.endsAt - world.startsAt);
  print("");
  print(
    `Real trace: ${world.shopOf.length} items, ${world.events.at.length} changes in ${days} days`,
  );
  print(
    row(
      "calls a day, policy",
      ["freshness", "mean age h", "del. in 24h", "new in 24h", "fill"],
      12,
    ) + "R/F/H/D calls a day".padStart(24),
  );
  for (const callsPerDay of budgets) {
    for (const name of traceRows) {
      const outcome = await playNoted(bench, world, name, { callsPerDay, feedEvery: callsPerFeed });
      print(
        row(`${callsPerDay} ${policies[name]}`, figures(outcome), 12) +
          spent(world, outcome).padStart(24),
      );
    }
    const atMost = freshnessBounds(world, callsPerDay);
    for (const bound of ["unsignalled", "clairvoyant"] as const) {
      print(row(`${callsPerDay} ${bounds[bound]}`, [atMost[bound].toFixed(4)], 12));
    }
  }
}

function figures(outcome: Outcome): string[] {
  return [
    outcome.freshness.toFixed(4),
    (outcome.mean_age_s / 3600).toFixed(2),
    share(outcome.deleted_noticed_24h),
    share(outcome.recall_new_24h),
    outcome.fill.toFixed(2),
  ];
}

function spent(world: World, { by_kind: kinds }: Outcome): string {
  const days = world.endsAt - world.measuredFrom;
  return [kinds.refresh, kinds.feed, kinds.head, kinds.discovery]
    .map((calls) => calls / days)
    .map((perDay) => perDay.toFixed(perDay < 10 ? 1 : 0))
    .join("/");
}

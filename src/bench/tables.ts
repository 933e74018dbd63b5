import { playPolicy, policies, type PolicyName } from "./policies.ts";
import type { Outcome } from "./run.ts";
import { createSyntheticWorld, defaultRules, type WorldRules } from "./synthetic.ts";
import type { World } from "./world.ts";

/** Lines of the result, and notes on how far it is. */
export interface Printer {
  print(line: string): void;
  note(line: string): void;
}

interface Scale {
  items: number;
  days: number;
  warmupDays: number;
}

/** Size of the synthetic worlds. */
export function toScale(items: number): Scale {
  return { items, days: 36, warmupDays: 12 };
}

const RATES = [0.05, 0.3, 1, 3];
const TITLE = 44;

const share = (value: number) => value.toFixed(3);
const ratio = (over: Outcome | undefined, under: Outcome | undefined) =>
  ((over?.freshness ?? NaN) / (under?.freshness ?? NaN)).toFixed(2);
const row = (title: string, values: readonly string[], width: number) =>
  title.padEnd(TITLE) + values.map((value) => value.padStart(width)).join("");

/** Calls a day at which, were every call full, each item would be observed `r` times a day. */
function callsAt(r: number, { items }: Scale): number {
  return Math.max(1, Math.round((r * items) / 50));
}

function worldOf(scale: Scale, rules: Partial<WorldRules>): World {
  return createSyntheticWorld({ ...defaultRules, ...scale, ...rules });
}

const mainRows: readonly PolicyName[] = [
  "round-robin",
  "oldest",
  "oldest-fullest",
  "importance-age",
  "planner",
  "oracle",
];

/** Freshness of every policy, importance independent of / correlated (0.6) with the change rate. */
export function printMainTable(scale: Scale, { print, note }: Printer): void {
  const worlds = [0, 0.6].map((correlation) => worldOf(scale, { correlation }));
  print(
    `Freshness, importance independent / correlated 0.6 with change rate (${scale.items} items, ${scale.days} days, the first ${scale.warmupDays} not counted)`,
  );
  print(
    row(
      "policy",
      RATES.map((r) => `r = ${r}`),
      13,
    ),
  );
  const results = new Map<PolicyName, Outcome[][]>();
  for (const name of mainRows) {
    note(`synthetic worlds: ${policies[name].title}`);
    const outcomes = RATES.map((r) =>
      worlds.map((world) => playPolicy(world, name, { callsPerDay: callsAt(r, scale) })),
    );
    results.set(name, outcomes);
    print(
      row(
        policies[name].title,
        outcomes.map((pair) => pair.map((o) => share(o.freshness)).join("/")),
        13,
      ),
    );
  }
  const planner = results.get("planner") ?? [];
  for (const name of ["oracle", "round-robin", "importance-age"] as const) {
    const values = planner.map((pair, i) =>
      pair.map((outcome, j) => ratio(outcome, results.get(name)?.[i]?.[j])).join("/"),
    );
    print(row(`planner over ${policies[name].title}`, values, 13));
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

/** Worlds that break what the planner assumes. */
export function printRegimeTable(scale: Scale, { print, note }: Printer): void {
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
    note(`regimes: ${title}`);
    const world = worldOf(scale, rules);
    const values = rates.map((r) => {
      const callsPerDay = callsAt(r, scale);
      const refused =
        dayEndsAt === undefined ? {} : { refusedFrom: Math.round(callsPerDay * dayEndsAt) };
      return (["planner", "importance-age", "round-robin"] as const)
        .map((name) => share(playPolicy(world, name, { callsPerDay, ...refused }).freshness))
        .join("/");
    });
    print(row(title, values, 21));
  }
}

/** Every tenth call of a policy that has no feed of its own goes to one. */
export const FEED_EVERY = 10;

const traceRows: readonly PolicyName[] = [
  "round-robin",
  "oldest",
  "importance-age",
  "planner",
  "oracle",
];

/** A recorded catalogue at several budgets. */
export function printTraceTable(
  world: World,
  budgets: readonly number[],
  { print, note }: Printer,
): void {
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
      note(`real trace: ${callsPerDay} calls a day, ${policies[name].title}`);
      const outcome = playPolicy(world, name, { callsPerDay, feedEvery: FEED_EVERY });
      print(
        row(`${callsPerDay} ${policies[name].title}`, figures(outcome), 12) +
          spent(world, outcome).padStart(24),
      );
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

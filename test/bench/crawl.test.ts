import { describe, expect, inject, it } from "vitest";
import { freshnessBounds } from "../../src/bench/bound.ts";
import { playCrawler } from "../../src/bench/play/crawler.ts";
import { playNoted, type Bench, type PolicyName } from "../../src/bench/play/policies.ts";
import { toItem } from "../../src/bench/play/storefront.ts";
import { createSyntheticWorld, toScale } from "../../src/bench/worlds/synthetic.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { deletion, toEvents, type World } from "../../src/bench/worlds/world.ts";
import { must } from "../../src/lib/must.ts";
import { createTestDb } from "../support/postgres.ts";
import { itLong } from "../support/it-long.ts";

const isLong = inject("long");
const CALLS = isLong ? 9 : 6;
const { signal } = new AbortController();

/** No search shows anything, and most products belong to one shop: only the choice of ids matters. */
const rules = {
  items: isLong ? 900 : 250,
  days: isLong ? 8 : 3,
  warmupDays: isLong ? 2 : 1,
  keywords: 1,
  coverage: 0,
  shopSizes: "one-huge",
} as const;
const world = createSyntheticWorld(rules);

async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const test = await createTestDb();
  try {
    return await work(test.db);
  } finally {
    await test.close();
  }
}

const simplePolicies = ["round-robin", "oldest", "oldest-fullest", "importance-age"] as const;

const silent = () => {};
const bench: Bench = { withDatabase, signal, print: silent, note: silent, clock: systemClock };
const run = { signal, onDay: silent, callsPerDay: CALLS };
const play = (name: PolicyName, where: World) =>
  playNoted(bench, where, name, { callsPerDay: CALLS });

/** Over worlds of several seeds: in one so small, chance alone moves freshness by .03. */
async function meanFreshness(name: PolicyName): Promise<number> {
  const seeds = [1, 11, 12];
  let sum = 0;
  for (const seed of seeds)
    sum += (await play(name, createSyntheticWorld({ ...rules, seed }))).freshness;
  return sum / seeds.length;
}

/** The estimates are reversed: products that change often seem to be constant, and the others to change. */
const backwards = (itemId: number) => {
  const isFast = (world.trueRate[toItem(itemId)] ?? 0) > 0.2;
  return { changes: isFast ? 0 : 10_000, days: isFast ? 1e7 : 500 };
};

describe("the crawler in a made world", () => {
  it("keeps to its budget, and below the bound", async () => {
    const { most_calls_a_day: most, calls, freshness } = await play("planner", world);
    expect(most).toBeLessThanOrEqual(CALLS);
    expect(calls).toBeGreaterThanOrEqual((rules.days - rules.warmupDays) * CALLS - 1);
    expect(freshness).toBeLessThan(freshnessBounds(world, CALLS).unsignalled);
  });

  itLong("is worse where what it has learned is reversed", async () => {
    const { freshness } = await play("planner", world);
    const misled = await withDatabase((db) =>
      playCrawler(world, { ...run, db, evidence: backwards }),
    );
    expect(misled.freshness).toBeLessThan(freshness - 0.02);
  });

  itLong("is above simple policies", async () => {
    const planner = await meanFreshness("planner");
    for (const simple of simplePolicies)
      expect(planner, simple).toBeGreaterThan((await meanFreshness(simple)) - 0.01);
  });

  itLong(
    "tells nearly as much freshness as there is, where most changes are never read",
    async () => {
      const searched = createSyntheticWorld(toScale({ items: 1000, days: 15, seed: 1 }));
      const told = await playNoted(bench, searched, "planner", { callsPerDay: 5 });
      const expected = must(told.expected_share, "an expected share");
      expect(Math.abs(expected - must(told.true_share, "a true share"))).toBeLessThan(0.1);
    },
  );

  it("confirms at once that most products of a batch are deleted", async () => {
    const few = createSyntheticWorld({ ...rules, items: 60, days: 3, warmupDays: 1 });
    const deletions = [...few.shopOf.keys()]
      .filter((item) => item % 3 > 0 && few.liveAtStart[item])
      .map((item) => ({ at: few.startsAt + 1.1, item, kind: deletion, content: 0 }));
    const outcome = await withDatabase((db) =>
      playCrawler({ ...few, events: toEvents(deletions) }, { ...run, db }),
    );
    expect(outcome.deleted_noticed_24h).toBeGreaterThan(0.3);
  });

  itLong("scans newest changes where they show what has changed", async () => {
    const shown = createSyntheticWorld({
      ...rules,
      items: 150,
      days: 4,
      coverage: 1,
      bumpShare: 1,
    });
    const callsPerDay = isLong ? 20 : 16;
    const { by_kind: calls } = await playNoted(bench, shown, "planner", { callsPerDay });
    expect(calls.feed).toBeGreaterThan(5);
  });

  it("ends at once when it is interrupted", async () => {
    const stopping = new AbortController();
    const played = withDatabase((db) =>
      playCrawler(world, {
        db,
        callsPerDay: CALLS,
        signal: stopping.signal,
        onDay: () => stopping.abort(),
      }),
    );
    await expect(played).rejects.toThrow(/abort/);
  });

  itLong("notices a day that the upstream ends early", async () => {
    const short = createSyntheticWorld({ ...rules, days: 3, warmupDays: 1 });
    const limits = { callsPerDay: CALLS, refusedFrom: 5 };
    const refused = await playNoted(bench, short, "planner", limits);
    expect(refused.most_calls_a_day).toBe(5);
  });
});

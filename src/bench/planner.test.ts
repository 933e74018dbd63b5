import { describe, expect, it } from "vitest";
import { starvationBoundDays } from "../crawl/scoring/forecast.ts";
import { BATCH } from "../crawl/scoring/scoring.ts";
import type { Copy } from "./copy.ts";
import { createPlanner, type PlannerRules } from "./planner.ts";
import { playPolicy, type PolicyName } from "./policies.ts";
import { simulate, type Policy } from "./run.ts";
import { createSyntheticWorld, defaultRules } from "./synthetic.ts";
import type { World } from "./world.ts";

const small = { ...defaultRules, items: 1500, days: 16, warmupDays: 4, keywords: 3 };

describe("the planner at work", () => {
  it.each([0, 0.6])(
    "beats importance x age and round-robin by far, and comes near to true rates; importance and rates correlated %d",
    (correlation) => {
      const world = createSyntheticWorld({ ...small, correlation });
      const freshness = (name: PolicyName) => playPolicy(world, name, { callsPerDay: 9 }).freshness;
      const planner = freshness("planner");
      expect(planner).toBeGreaterThan(1.05 * freshness("importance-age"));
      expect(planner).toBeGreaterThan(1.7 * freshness("round-robin"));
      expect(planner).toBeGreaterThan(0.94 * freshness("oracle"));
    },
  );

  it("finds a feed worthless that shows no change, and does as well without", () => {
    const world = createSyntheticWorld({ ...small, bumpShare: 0, seed: 4 });
    const planner = playPolicy(world, "planner", { callsPerDay: 30 });
    expect(planner.by_kind.feed).toBeLessThan(0.1 * planner.calls);
    expect(planner.freshness).toBeGreaterThan(
      playPolicy(world, "importance-age", { callsPerDay: 30 }).freshness,
    );
  });

  it("plays the same game twice", () => {
    const play = () => playPolicy(createSyntheticWorld(small), "planner", { callsPerDay: 9 });
    expect(play()).toEqual(play());
  });

  it("asks for at most 50 known products of one shop a call", () => {
    const world = createSyntheticWorld({ ...small, shopSizes: "one-huge" });
    const seen = watch(
      world,
      { kinds: { feed: true, head: true, discovery: true }, trueRates: false },
      60,
    );
    expect(seen.refreshes).toBeGreaterThan(20);
    expect(seen.largest).toBeLessThanOrEqual(BATCH);
    expect(seen.mixed).toBe(0);
  });

  it("lets no product wait longer than its floor and the calls that all its shops then need", () => {
    const world = createSyntheticWorld({ ...small, days: 40, warmupDays: 10, deathsPerDay: 0 });
    const bound = starvationBoundDays({
      callsPerDay: 60,
      shops: world.shops,
      products: 1500,
      maxAgeDays: 10,
    });
    expect(bound).toBeLessThan(12);
    const queue = world.shops / 60;
    const rules = { kinds: { feed: true, head: true }, trueRates: false };
    expect(watch(world, { ...rules, maxAgeDays: bound }, 60).longestWait).toBeLessThan(
      bound + queue,
    );
    expect(watch(world, rules, 60).longestWait).toBeGreaterThan(bound + queue);
  });
});

/** Plays the world with an eye on every call, and on how long each product waited for a look. */
function watch(world: World, rules: PlannerRules, callsPerDay: number) {
  const seen = { refreshes: 0, largest: 0, mixed: 0, longestWait: 0 };
  const lookedAt = new Float64Array(world.shopOf.length);
  const createPolicy = (w: World, copy: Copy): Policy => {
    const planner = createPlanner(w, copy, rules, { callsPerDay });
    return {
      choose(now) {
        const call = planner.choose(now);
        if (call?.kind === "refresh") {
          seen.refreshes += 1;
          seen.largest = Math.max(seen.largest, call.items.length);
          if (call.items.some((item) => w.shopOf[item] !== call.shop)) seen.mixed += 1;
        }
        return call;
      },
      learn(call, answer, now) {
        for (const { item, fate } of answer.seen) {
          if (fate !== "created") {
            seen.longestWait = Math.max(seen.longestWait, now - (lookedAt[item] ?? 0));
          }
          lookedAt[item] = now;
        }
        planner.learn(call, answer, now);
      },
    };
  };
  simulate(world, { callsPerDay, createPolicy });
  for (const [item, stored] of world.liveAtStart.entries()) {
    if (stored) seen.longestWait = Math.max(seen.longestWait, world.endsAt - (lookedAt[item] ?? 0));
  }
  return seen;
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  callsForTarget,
  checkedAfterDays,
  forecast,
  starvationBoundDays,
  type ForecastRules,
} from "./forecast.ts";
import type { ItemStats } from "./scoring.ts";

const shop = { shopId: "s", meanRate: 0.1, lossRate: 0.005, bumpShare: 0.7, goneWeight: 1 };

function item(itemId: number, over: Partial<ItemStats> = {}): ItemStats {
  return {
    itemId,
    weight: 1,
    factor: 1,
    lossFactor: 1,
    changes: 0,
    days: 0,
    checkedAt: 0,
    suspect: false,
    shop,
    keyword: null,
    ...over,
  };
}

const sample = Array.from({ length: 300 }, (_, i) =>
  item(i, { weight: 1 + (i % 10), changes: i % 5, days: 1 + (i % 30) }),
);
const rules: ForecastRules = {
  callsPerDay: 100,
  fill: 0.8,
  products: 30_000,
  shops: 500,
  maxAgeDays: 30,
};

describe("the forecast", () => {
  it("promises more freshness for more calls, never less", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 }), (a, b) => {
        const [few, many] = [Math.min(a, b), Math.max(a, b)].map((callsPerDay) =>
          forecast(sample, { ...rules, callsPerDay }),
        );
        expect(many?.freshness).toBeGreaterThanOrEqual((few?.freshness ?? 0) - 1e-9);
      }),
      { numRuns: 25 },
    );
  });

  it("stays between nothing and everything, and re-checks the important sooner", () => {
    const { freshness, promise } = forecast(sample, rules);
    expect(freshness).toBeGreaterThan(0);
    expect(freshness).toBeLessThanOrEqual(1);
    const hours = promise.map((p) => p.hoursP95);
    expect(hours).toEqual(hours.toSorted((a, b) => b - a));
  });

  it("spends the calls it was given", () => {
    const plenty = forecast(sample, { ...rules, callsPerDay: 1000 });
    const few = forecast(sample, { ...rules, callsPerDay: 100 });
    expect(plenty.threshold).toBeLessThan(few.threshold);
  });

  it("lets nothing wait beyond the bound, which a quarter of the calls can keep", () => {
    expect(starvationBoundDays({ ...rules, callsPerDay: 1000 })).toBe(30);
    const few = { ...rules, callsPerDay: 10 };
    const passDays = (30_000 / 50 + 500) / 10;
    expect(checkedAfterDays(few)).toBeCloseTo(4 * passDays, 9);
    // All products at once, with four fifths of every second call.
    expect(starvationBoundDays(few) - checkedAfterDays(few)).toBeCloseTo(2.5 * passDays, 9);
    const { promise, boundDays } = forecast(sample, { ...rules, callsPerDay: 10 });
    for (const { hoursP95 } of promise) expect(hoursP95).toBeLessThanOrEqual(boundDays * 24 + 1e-6);
  });

  it("says what a target needs, and that amount meets it", () => {
    const target = { minWeight: 9, hours: 24 };
    const calls = callsForTarget(sample, rules, target);
    expect(calls).not.toBeNull();
    expect(callsForTarget(sample, rules, { ...target, hours: 12 })).toBeGreaterThan(calls ?? 0);
  });

  it("answers another weight of a shop with another forecast", () => {
    const other = { ...shop, shopId: "t" };
    const mixed = sample.map((one, i) =>
      i % 2 ? { ...one, shop: other, changes: 20, days: 10 } : one,
    );
    const plain = forecast(mixed, rules).freshness;
    expect(forecast(mixed, { ...rules, shopWeights: { t: 10 } }).freshness).not.toBeCloseTo(
      plain,
      3,
    );
  });
});

import { describe, expect, it } from "vitest";
import { freshnessBounds } from "./bound.ts";
import { createSyntheticWorld, defaultRules } from "./synthetic.ts";
import type { World } from "./world.ts";

const made = createSyntheticWorld({
  ...defaultRules,
  items: 500,
  days: 12,
  warmupDays: 4,
  birthsPerDay: 0,
  deathsPerDay: 1e-9,
});

const withRates = (rateOf: (item: number) => number): World => ({
  ...made,
  weight: made.weight.map(() => 1),
  trueRate: made.trueRate.map((_, item) => rateOf(item)),
});

describe("the bounds of freshness", () => {
  it("is known in closed form where all products are alike", () => {
    // 10 calls show 500 products: each once a day, and each changes twice a day.
    const bounds = freshnessBounds(
      withRates(() => 2),
      10,
    );
    expect(bounds.unsignalled).toBeCloseTo((1 - Math.exp(-2)) / 2, 6);
    expect(bounds.signalled).toBeCloseTo(0.5, 6);
  });

  it("gives no check to products that change faster than checks can follow", () => {
    const bounds = freshnessBounds(
      withRates((item) => (item % 2 === 0 ? 1000 : 0.1)),
      1,
    );
    expect(bounds.unsignalled).toBeLessThan(0.5);
    expect(bounds.unsignalled).toBeGreaterThan(0.38);
    expect(bounds.signalled).toBeCloseTo(0.5, 1);
  });

  it("is 1 where nothing changes, and near it where calls are plenty", () => {
    expect(
      freshnessBounds(
        withRates(() => 0),
        1,
      ).unsignalled,
    ).toBe(1);
    expect(freshnessBounds(made, 100_000).unsignalled).toBeGreaterThan(0.999);
  });

  it("rises with the calls, and signals never lower it", () => {
    let before = 0;
    for (const calls of [1, 3, 10, 30, 100]) {
      const { unsignalled, signalled } = freshnessBounds(made, calls);
      expect(unsignalled).toBeGreaterThan(before);
      expect(signalled).toBeGreaterThanOrEqual(unsignalled);
      before = unsignalled;
    }
  });

  it("is not exceeded by any other division of the checks", () => {
    const looks = 500;
    const { unsignalled } = freshnessBounds(made, looks / 50);
    const value = (looksAt: (item: number) => number) => {
      let fresh = 0;
      let all = 0;
      for (const [item, weight] of made.weight.entries()) {
        const x = (made.trueRate[item] ?? 0) / looksAt(item);
        fresh += weight * (-Math.expm1(-x) / x);
        all += weight;
      }
      return fresh / all;
    };
    const total = made.weight.reduce((sum, weight) => sum + weight, 0);
    const rates = made.trueRate.reduce((sum, rate) => sum + rate, 0);
    const divisions = [
      () => looks / made.weight.length,
      (item: number) => (looks * (made.weight[item] ?? 0)) / total,
      (item: number) => (looks * (made.trueRate[item] ?? 0)) / rates,
    ];
    for (const division of divisions) expect(value(division)).toBeLessThan(unsignalled);
  });
});

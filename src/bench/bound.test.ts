import { describe, expect, it } from "vitest";
import { freshnessBounds } from "./bound.ts";
import { createSyntheticWorld } from "./worlds/synthetic.ts";
import { deletion, edit, toEvents, type World } from "./worlds/world.ts";

const made = createSyntheticWorld({
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
  });

  it("gives no check to products that change faster than checks can follow", () => {
    const { unsignalled } = freshnessBounds(
      withRates((item) => (item % 2 === 0 ? 1000 : 0.1)),
      1,
    );
    expect(unsignalled).toBeLessThan(0.5);
    expect(unsignalled).toBeGreaterThan(0.38);
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

  it("rises with the calls", () => {
    let before = { unsignalled: 0, clairvoyant: 0 };
    for (const calls of [0.1, 0.3, 1, 3]) {
      const bounds = freshnessBounds(made, calls);
      expect(bounds.unsignalled).toBeGreaterThan(before.unsignalled);
      expect(bounds.clairvoyant).toBeGreaterThan(before.clairvoyant);
      before = bounds;
    }
  });

  it("counts, of all that happens, what one check for each content can show at most", () => {
    // Measured from day 4 to day 12: 8 days of each of three products.
    const happen = (item: number, day: number, content: number, kind = edit) => {
      return { at: made.startsAt + day, item, kind, content };
    };
    const world: World = {
      ...made,
      shopOf: new Int32Array(3),
      weight: Float64Array.of(1, 1, 2),
      trueRate: new Float64Array(3),
      liveAtStart: Uint8Array.of(1, 1, 1),
      contentAtStart: new Int32Array(3),
      events: toEvents([
        // 2 days as at the start, 1 and 3 days otherwise, and again 2 as at the start.
        happen(0, 6, 1),
        happen(0, 7, 2),
        happen(0, 10, 0),
        // 5 days with a content that began before, then deleted.
        happen(1, 3, 1),
        happen(1, 9, 0, deletion),
        // 4 and 4 days of double weight.
        happen(2, 8, 1),
      ]),
    };
    const live = 8 + 5 + 2 * 8;
    const known = 4 + 2 * 4;
    const boundOf = (checksPerDay: number) => freshnessBounds(world, checksPerDay / 50).clairvoyant;
    expect(boundOf(0)).toBeCloseTo(known / live, 6);
    // One check in twelve days, none of it in the measured time alone.
    expect(boundOf(1 / 12)).toBeCloseTo((known + 5) / live, 6);
    expect(boundOf(1 / 8)).toBeCloseTo((known + 2 * 4) / live, 6);
    expect(boundOf(1)).toBeCloseTo(1, 6);
  });

  it("is not exceeded by any other division of the checks", () => {
    const checks = 500;
    const { unsignalled } = freshnessBounds(made, checks / 50);
    const value = (checksOf: (item: number) => number) => {
      let fresh = 0;
      let all = 0;
      for (const [item, weight] of made.weight.entries()) {
        const x = (made.trueRate[item] ?? 0) / checksOf(item);
        fresh += weight * (-Math.expm1(-x) / x);
        all += weight;
      }
      return fresh / all;
    };
    const total = made.weight.reduce((sum, weight) => sum + weight, 0);
    const rates = made.trueRate.reduce((sum, rate) => sum + rate, 0);
    const divisions = [
      () => checks / made.weight.length,
      (item: number) => (checks * (made.weight[item] ?? 0)) / total,
      (item: number) => (checks * (made.trueRate[item] ?? 0)) / rates,
    ];
    for (const division of divisions) expect(value(division)).toBeLessThan(unsignalled);
  });
});

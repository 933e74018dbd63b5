import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBase, toScore } from "./model.ts";
import { shippedModel as model } from "./model-weights.ts";
import { placeOf, placePairs, type PlacedPair } from "./placing.ts";

const pair = (
  a: number,
  b: number,
  base: number,
  cosine: number,
  forbidding: Partial<Pick<PlacedPair, "rule" | "vetoes">> = {},
): PlacedPair => ({
  a,
  b,
  shop_a: `shop-${a}`,
  shop_b: "s",
  base,
  cosine,
  rule: null,
  vetoes: [],
  ...forbidding,
  best_a: 0,
  best_b: 0,
  is_first_a: false,
  is_first_b: false,
});

describe("places of pairs", () => {
  it("tell the best of the other's shop, the smaller id among equals", () => {
    const pairs = [pair(1, 7, 2, 0.5), pair(1, 8, 3, 0.9), pair(1, 9, 3, 0.4)];
    const placed = placePairs(pairs, new Set([placeOf(1, "s")]), model);
    expect(placed.map(({ best_a }) => best_a)).toEqual([0.9, 0.9, 0.9]);
    expect(placed.map(({ is_first_a }) => is_first_a)).toEqual([false, true, false]);
    expect(placed.every(({ best_b, is_first_b }) => best_b === 0 && !is_first_b)).toBe(true);
  });

  it.each([
    [{ vetoes: ["size"] }, [true, true]],
    [{ rule: "different" as const }, [true, true]],
    [{ rule: "other_code" as const }, [true, true]],
    [{ rule: "code" as const, vetoes: ["size"] }, [true, false]],
  ])("leave the first one to what may be one: a likelier pair with %j", (forbidding, isFirst) => {
    const placed = placePairs(
      [pair(1, 7, 3, 0.9, forbidding), pair(1, 8, 2, 0.5)],
      new Set([placeOf(1, "s")]),
      model,
    );
    expect(placed.map(({ is_first_a }) => is_first_a)).toEqual(isFirst);
  });

  it("give the first one to the likest title where the rest says nearly the same", () => {
    const pairs = [pair(1, 7, 2.5, 0.8), pair(1, 8, 2.4, 1)];
    const placed = placePairs(pairs, new Set([placeOf(1, "s")]), model);
    expect(placed.map(({ is_first_a }) => is_first_a)).toEqual([false, true]);
  });

  it("complete the log-odds of the titles to those of all features", () => {
    const count = model.features.length - 2;
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: count, maxLength: count }),
        unit,
        unit,
        (values, left, right) => {
          const comparison = { features: Float64Array.from(values) };
          const all = [...values, Math.min(left, right), Math.max(left, right)];
          const terms = model.features.map(
            ({ mean, deviation, weight }, i) => (weight * ((all[i] ?? 0) - mean)) / deviation,
          );
          const logOdds = terms.reduce((sum, term) => sum + term, model.bias);
          const score = toScore(toBase(comparison, model), { left, right }, model);
          expect(score).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 9);
        },
      ),
    );
  });
});

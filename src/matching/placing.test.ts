import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { score } from "./model.ts";
import { shippedModel } from "./model-weights.ts";
import { toBase, toScore } from "./placed-score.ts";
import { placeOf, placePairs } from "./placing.ts";

const pair = (a: number, b: number, base: number, cosine: number) => ({
  a,
  b,
  shop_a: `shop-${a}`,
  shop_b: "s",
  base,
  cosine,
  best_a: 0,
  best_b: 0,
  is_first_a: false,
  is_first_b: false,
});

describe("places of pairs", () => {
  it("tell the best of the other's shop, the smaller id among equals", () => {
    const pairs = [pair(1, 7, 2, 0.5), pair(1, 8, 3, 0.9), pair(1, 9, 3, 0.4)];
    const placed = placePairs(pairs, new Set([placeOf(1, "s")]));
    expect(placed.map(({ best_a }) => best_a)).toEqual([0.9, 0.9, 0.9]);
    expect(placed.map(({ is_first_a }) => is_first_a)).toEqual([false, true, false]);
    expect(placed.every(({ best_b, is_first_b }) => best_b === 0 && !is_first_b)).toBe(true);
  });

  it("complete the model's log-odds to its score", () => {
    const count = shippedModel.features.length - 2;
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: count, maxLength: count }),
        unit,
        unit,
        (values, left, right) => {
          const comparison = { features: Float64Array.from(values) };
          const context = { left, right };
          expect(toScore(toBase(comparison), context)).toBeCloseTo(score(comparison, context), 9);
        },
      ),
    );
  });
});

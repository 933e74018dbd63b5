import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addCounts,
  bins,
  categoryReasons,
  estimateCategory,
  noCounts,
  toBin,
  type ScoreCounts,
  type EstimateRules,
} from "./estimates.ts";

const rules: EstimateRules = { usual: 0.8, lowest: 0.7, highest: 0.96, floor: 0.8 };

/** So many pairs of each kind at a score. */
function evidence(...pairs: [score: number, counts: Partial<Record<keyof ScoreCounts, number>>][]) {
  const all = noCounts();
  for (const [score, counts] of pairs) {
    for (const name of Object.keys(all) as (keyof ScoreCounts)[]) {
      all[name] = all[name].map((n, i) => (i === toBin(score) ? n + (counts[name] ?? 0) : n));
    }
  }
  return all;
}

const counts = fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), {
  minLength: bins,
  maxLength: bins,
});
const anyEvidence = fc.record({
  same: counts,
  different: counts,
  crossShop: counts,
  sameShop: counts,
});
const anyPresent = fc.option(
  fc.record({ threshold: fc.double({ min: 0.7, max: 0.96, noNaN: true }), isLinked: fc.boolean() }),
);

describe("the estimate of a category", () => {
  it("says nothing where little is known", () => {
    expect(estimateCategory(noCounts(), rules, null)).toBeNull();
    const few = evidence([0.9, { same: 19, crossShop: 199, sameShop: 5000 }]);
    expect(estimateCategory(few, rules, null)).toBeNull();
  });

  it("takes the lowest threshold from which links are right, by own barcodes", () => {
    const own = evidence(
      [0.95, { same: 300 }],
      [0.85, { same: 300, different: 2 }],
      [0.75, { same: 100, different: 100 }],
    );
    expect(estimateCategory(own, rules, null)).toEqual({
      threshold: 0.76,
      isLinked: true,
      reason: categoryReasons.linkedByCodes,
      precisionByCodes: 600 / 602,
      precisionByShops: null,
      labelledPairs: 802,
    });
  });

  it("refuses a category whose links are wrong at every threshold", () => {
    const own = evidence([0.99, { same: 70, different: 30 }]);
    expect(estimateCategory(own, rules, null)).toMatchObject({
      threshold: 0.96,
      isLinked: false,
      precisionByCodes: 0.7,
      reason: categoryReasons.refusedByCodes,
    });
  });

  it("refuses without barcodes where products of one shop look as much alike as those of two", () => {
    const alike = evidence(
      [0.9, { crossShop: 100, sameShop: 90 }],
      [0.1, { crossShop: 900, sameShop: 910 }],
    );
    expect(estimateCategory(alike, rules, null)).toMatchObject({
      threshold: 0.8,
      isLinked: false,
      reason: categoryReasons.refusedByShops,
    });
    const apart = evidence(
      [0.9, { crossShop: 100, sameShop: 5 }],
      [0.1, { crossShop: 900, sameShop: 995 }],
    );
    const found = estimateCategory(apart, rules, null);
    expect(found).toMatchObject({ isLinked: true, reason: categoryReasons.linkedByShops });
    expect(found?.precisionByShops).toBeCloseTo(0.95);
  });

  it("believes barcodes more than the comparison of shops", () => {
    const variants = evidence(
      [0.9, { same: 500, different: 5, crossShop: 500, sameShop: 500 }],
      [0.1, { crossShop: 500, sameShop: 500 }],
    );
    expect(estimateCategory(variants, rules, null)).toMatchObject({
      isLinked: true,
      precisionByShops: 0,
    });
  });

  it("does not go back and forth around the floor, nor for small steps of the threshold", () => {
    const near = evidence([0.99, { same: 81, different: 19 }]);
    const refused = { threshold: 0.96, isLinked: false };
    expect(estimateCategory(near, rules, null)?.isLinked).toBe(true);
    expect(estimateCategory(near, rules, refused)?.isLinked).toBe(false);
    const good = evidence(
      [0.81, { same: 500 }],
      [0.9, { same: 500 }],
      [0.79, { different: 100, same: 400 }],
    );
    expect(estimateCategory(good, rules, { threshold: 0.82, isLinked: true })?.threshold).toBe(
      0.82,
    );
    expect(estimateCategory(good, rules, { threshold: 0.9, isLinked: true })?.threshold).toBe(0.8);
  });

  it("stays within its bounds and the range of shares, whatever was counted", () => {
    fc.assert(
      fc.property(anyEvidence, anyPresent, (any, present) => {
        const found = estimateCategory(any, rules, present);
        if (found === null) return;
        expect(found.threshold).toBeGreaterThanOrEqual(rules.lowest);
        expect(found.threshold).toBeLessThanOrEqual(rules.highest);
        for (const share of [found.precisionByCodes ?? 0, found.precisionByShops ?? 0]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
        const precision = found.precisionByCodes ?? found.precisionByShops ?? 0;
        if (found.isLinked) expect(precision).toBeGreaterThanOrEqual(rules.floor);
      }),
    );
  });

  it("never links more because more pairs turn out to be different", () => {
    fc.assert(
      fc.property(anyEvidence, fc.nat(bins - 1), fc.nat(1000), (any, bin, more) => {
        const labelled = any.same.reduce((a, b) => a + b, 0);
        fc.pre(labelled > 50);
        const worse = {
          ...any,
          different: any.different.map((n, i) => (i === bin ? n + more : n)),
        };
        const [before, after] = [any, worse].map((one) => estimateCategory(one, rules, null));
        if (!before || !after || before.precisionByCodes === null) return;
        expect(after.threshold).toBeGreaterThanOrEqual(before.threshold);
      }),
    );
  });
});

describe("evidence", () => {
  it("halves with every pass, so that what is counted again and again stays bounded", () => {
    fc.assert(
      fc.property(anyEvidence, (any) => {
        let kept: ScoreCounts = noCounts();
        for (let pass = 0; pass < 30; pass += 1) kept = addCounts(kept, 1, any);
        for (const [i, n] of any.same.entries()) {
          expect(kept.same[i]).toBeLessThanOrEqual(2 * n + 1e-6);
        }
      }),
    );
  });

  it("counts a score in the fiftieth that begins at or below it", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (score) => {
        expect(toBin(score) / bins).toBeLessThanOrEqual(score + 1e-6);
        expect(toBin(score)).toBeLessThan(bins);
      }),
    );
    expect([0, 0.8, 0.98, 1].map(toBin)).toEqual([0, 40, 49, 49]);
  });
});

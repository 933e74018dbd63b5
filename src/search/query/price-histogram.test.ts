import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countPrices, priceRanges } from "./price-histogram.ts";

const boundsOf = (min: number, max: number) =>
  priceRanges(min, max).map(({ from, to }) => [from, to]);

describe("the ranges of a price histogram", () => {
  it("have round bounds, in steps that fit the prices", () => {
    expect(boundsOf(300, 15_250)).toEqual([
      [200, 499],
      [500, 999],
      [1000, 1999],
      [2000, 4999],
      [5000, 9999],
      [10_000, 19_999],
    ]);
    expect(boundsOf(940, 1130)).toEqual(
      Array.from({ length: 10 }, (_, i) => [940 + 20 * i, 959 + 20 * i]),
    );
    expect(boundsOf(1000, 1000)).toEqual([[1000, 1000]]);
    expect(boundsOf(0, 0)).toEqual([[0, 0]]);
    expect(boundsOf(0, 40)[0]).toEqual([0, 0]);
  });

  it("are at most ten, adjoin, begin with the lowest price and end with the highest", () => {
    const price = fc.oneof(
      fc.nat(20_000),
      fc.integer({ min: 0, max: 1_000_000_000_000 }),
      fc.nat(12).map((decade) => 10 ** decade),
    );
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const ranges = priceRanges(min, max);
        const [first] = ranges;
        const last = ranges.at(-1);
        expect(ranges.length).toBeLessThanOrEqual(10);
        expect(first && first.from <= min && min <= first.to).toBe(true);
        expect(last && last.from <= max && max <= last.to).toBe(true);
        for (const [i, { from, to }] of ranges.entries()) {
          expect(from <= to && Number.isSafeInteger(from) && Number.isSafeInteger(to)).toBe(true);
          expect(ranges[i + 1]?.from ?? to + 1).toBe(to + 1);
        }
        const counted = countPrices(ranges, [
          [min, 2],
          [max, 3],
        ]);
        expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(5);
      }),
      { numRuns: 300 },
    );
  });
});

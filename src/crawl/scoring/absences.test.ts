import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterLate, countMissing, lossRateOfUnchecked } from "./absences.ts";

describe("what is missing of a keyword", () => {
  it("is the difference to what the keyword finds, whatever other keywords show of it", () => {
    const start = countMissing(null, { known: 100, found: 140, productDays: 100, at: 0 });
    expect(start.missing).toBe(0);
    const later = countMissing(start, { known: 103, found: 141, productDays: 100, at: 1 });
    expect(later.missing).toBeCloseTo(2, 0);
  });

  it("is nothing any more once the deletions are proven", () => {
    const start = countMissing(null, { known: 100, found: 100, productDays: 100, at: 0 });
    const missing = countMissing(start, { known: 100, found: 96, productDays: 100, at: 0.1 });
    const proven = countMissing(missing, { known: 96, found: 96, productDays: 20, at: 0.2 });
    expect(missing.missing).toBeGreaterThan(3.9);
    expect(proven.missing).toBe(0);
  });

  it("is not what pages were late to show: products that were there at the last count", () => {
    const start = countMissing(null, { known: 50, found: 9000, productDays: 50, at: 0 });
    const late = afterLate(start, 4000);
    const later = countMissing(late, { known: 4050, found: 8998, productDays: 4000, at: 0.1 });
    expect(later.missing).toBeCloseTo(2, 1);
  });

  it("is forgotten after some months if no check finds it", () => {
    let absences = countMissing(null, { known: 100, found: 100, productDays: 100, at: 0 });
    for (let at = 1; at < 200; at += 1)
      absences = countMissing(absences, { known: 100, found: 97, productDays: 100, at });
    expect(absences.missing).toBeLessThan(0.1);
  });

  it("is none of what was checked after the last of it was found missing", () => {
    const start = countMissing(null, { known: 100, found: 100, productDays: 100, at: 0 });
    const first = countMissing(start, { known: 100, found: 98, productDays: 100, at: 1 });
    const same = countMissing(first, { known: 100, found: 98, productDays: 100, at: 2 });
    const more = countMissing(same, { known: 100, found: 97, productDays: 100, at: 3 });
    expect([first.since, same.since, more.since]).toEqual([1, 1, 3]);
  });

  it("makes deletions more likely where more is missing than expected, and less where nothing is", () => {
    const chance = (missing: number, lossRate: number) =>
      lossRateOfUnchecked({ baseline: 0, missing, productDays: 1000, at: 0, since: 0 }, lossRate);
    expect(chance(5, 0.001)).toBeGreaterThan(0.003);
    expect(chance(0, 0.001)).toBeLessThan(0.0003);
    // Losses were never seen, so the rates alone would not let one expect any.
    expect(chance(8, 1e-7)).toBeGreaterThan(0.005);
  });

  it("lets as many be expected as are missing, also once the loss rate is learned", () => {
    const absences = { baseline: 0, missing: 78, productDays: 55_000, at: 0, since: 0 };
    for (const lossRate of [0, 1e-12, 1e-6, 1e-4, 1e-3, 1e-2]) {
      const deleted = 55_000 * lossRateOfUnchecked(absences, lossRate);
      expect(deleted).toBeGreaterThan(50);
      expect(deleted).toBeLessThan(90);
    }
  });

  it("is finite and not negative, whatever is counted", () => {
    const count = fc.double({ min: 0, max: 1e7, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(count, count, count), { minLength: 1 }), (counts) => {
        let absences = null;
        for (const [at, [known, found, productDays]] of counts.entries()) {
          absences = countMissing(absences, { known, found, productDays, at });
          expect(absences.missing).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(lossRateOfUnchecked(absences, 1e-3))).toBe(true);
        }
      }),
    );
  });
});

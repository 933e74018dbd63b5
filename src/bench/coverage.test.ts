import { describe, expect, it } from "vitest";
import { toCoverage } from "../crawl/keywords/proposals.ts";
import { createRandom } from "../lib/random.ts";

describe("the estimate of how much is held", () => {
  it("comes near the truth, which lies within two of its errors in most runs", () => {
    const random = createRandom(3);
    let within = 0;
    let sum = 0;
    for (let run = 0; run < 200; run += 1) {
      const truth = 0.3 + 0.6 * random.next();
      const pages = Array.from({ length: 15 }, () => {
        const shown = random.integer(1, 50);
        // Keywords differ: of some more is held than of others.
        const own = truth + 0.2 * (random.next() - 0.5);
        const known = Array.from({ length: shown }, () => random.chance(own));
        return { shown, known: known.filter(Boolean).length };
      });
      const { share, error } = toCoverage(pages);
      sum += (share ?? NaN) - truth;
      if (Math.abs((share ?? NaN) - truth) < 2 * (error ?? NaN)) within += 1;
    }
    expect(Math.abs(sum / 200)).toBeLessThan(0.01);
    expect(within).toBeGreaterThan(170);
  });

  it("says nothing before any page, no error before two, and is never sure", () => {
    const whole = { shown: 50, known: 50 };
    expect(toCoverage([])).toEqual({ share: null, error: null, shown: 0 });
    expect(toCoverage([whole])).toEqual({ share: 1, error: null, shown: 50 });
    expect(toCoverage([whole, whole])).toEqual({ share: 1, error: 0.01, shown: 100 });
  });
});

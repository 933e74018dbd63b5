import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  memoryDays,
  priorShape,
  afterChange,
  afterDatedChange,
  afterUnchanged,
  bumpShare,
  countBump,
  learnCheck,
  overallMean,
  shopMean,
} from "./rate-estimate.ts";
import { createRandom } from "../../lib/random.ts";

const evidences = fc.record({
  changes: fc.double({ min: 0, max: 20, noNaN: true }),
  days: fc.double({ min: 0, max: 60, noNaN: true }),
});
const taus = fc.double({ min: 0.01, max: 30, noNaN: true });
const rates = fc.double({ min: 0.005, max: 3, noNaN: true });

/** Mean and variance of the rate given at least one change in `tau`, by summing over a fine grid. */
function bruteForce(shape: number, span: number, tau: number): { mean: number; variance: number } {
  const top = (shape + 12 * Math.sqrt(shape) + 30) / span;
  let [mass, first, second] = [0, 0, 0];
  for (let i = 0; i < 60_000; i += 1) {
    // A shape below 1 has a pole at 0: a grid of cubes gives it enough points.
    const x = (i + 0.5) / 60_000;
    const rate = top * x ** 3;
    const width = 3 * top * x ** 2;
    const density = Math.exp((shape - 1) * Math.log(rate) - span * rate) * -Math.expm1(-rate * tau);
    mass += density * width;
    first += density * width * rate;
    second += density * width * rate ** 2;
  }
  const mean = first / mass;
  return { mean, variance: second / mass - mean ** 2 };
}

describe("learning a product's change rate", () => {
  it("matches both moments of the true posterior after a change at some unknown moment", () => {
    fc.assert(
      fc.property(evidences, taus, rates, (evidence, tau, prior) => {
        const keep = Math.exp(-tau / memoryDays);
        const exact = bruteForce(
          priorShape + evidence.changes * keep,
          priorShape / prior + evidence.days * keep,
          tau,
        );
        const next = afterChange(evidence, tau, prior);
        const shape = priorShape + next.changes;
        const span = priorShape / prior + next.days;
        expect(shape / span / exact.mean).toBeCloseTo(1, 2);
        expect(shape / span ** 2 / exact.variance).toBeCloseTo(1, 2);
      }),
      { numRuns: 40 },
    );
  });

  it("adds the days without a change, and lets old evidence fade", () => {
    const next = afterUnchanged({ changes: 2, days: 10 }, 5);
    const keep = Math.exp(-5 / memoryDays);
    expect(next).toEqual({ changes: 2 * keep, days: 10 * keep + 5 });
  });

  it("counts a dated change once, with the quiet time around it alone", () => {
    const keep = Math.exp(-4 / memoryDays);
    expect(afterDatedChange({ changes: 1, days: 8 }, 4, 1.5)).toEqual({
      changes: keep + 1,
      days: 8 * keep + 1.5,
    });
  });

  it("finds the rate of a product that changes faster than it is checked", () => {
    // Checked daily, 5 changes a day: the last change is on average 0.2 days old.
    let evidence = { changes: 0, days: 0 };
    for (let day = 0; day < 200; day += 1) evidence = afterDatedChange(evidence, 1, 0.2);
    expect(evidence.changes / evidence.days).toBeCloseTo(5, 1);
  });

  it("takes the days that are known to be quiet around a dated change, and no more than have passed", () => {
    const before = { evidence: { changes: 0, days: 0 }, checkedAt: 0, readDays: 6 };
    const learnt = learnCheck(before, { changed: true, quietDays: 7 }, 0.1, 10);
    expect(learnt.evidence.days).toBeCloseTo(7, 9);
    expect(learnt.unreadDays).toBe(4);
    expect(learnCheck(before, { changed: true, quietDays: 12 }, 0.1, 10).evidence.days).toBe(10);
  });

  it("draws a shop about which little is known towards all shops", () => {
    const overall = overallMean({ changes: 199, days: 990 });
    expect(overall).toBeCloseTo(0.2, 2);
    expect(shopMean({ changes: 0, days: 0 }, overall)).toBeCloseTo(overall, 9);
    expect(shopMean({ changes: 10_000, days: 5000 }, overall)).toBeCloseTo(2, 1);
  });

  it.each([
    { of: "what changes once between checks", every: 0.5, readDays: 0, share: 0.8 },
    { of: "what changes several times", every: 8, readDays: 0, share: 0.8 },
    { of: "what changes while its list is not read", every: 8, readDays: 6, share: 0.8 },
    { of: "what mostly changes silently", every: 8, readDays: 0, share: 0.3 },
  ])("estimates the share of changes that bump modified, of $of", ({ every, readDays, share }) => {
    const random = createRandom(4);
    const mean = 0.5;
    let own = { bumped: 0, silent: 0 };
    for (let check = 0; check < 12_000; check += 1) {
      const rate = random.exponential(1 / mean);
      const unreadDays = every - readDays;
      const isIn = (days: number, part: number) => random.exponential(rate * part) < days;
      // The list has shown what was bumped in the days in which it was read: that is another check.
      if (isIn(readDays, share)) continue;
      const bumped = isIn(unreadDays, share);
      if (!bumped && !isIn(every, 1 - share)) continue;
      const learnt = bumpShare(own, own);
      const law = { shape: 1, span: 1 / mean + learnt * readDays };
      own = countBump(own, { bumped, tau: every, unreadDays, ...law, share: learnt });
    }
    expect(bumpShare(own, own)).toBeCloseTo(share, 1);
  });
});

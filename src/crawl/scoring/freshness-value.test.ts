import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  foundLaterDays,
  horizonDays,
  checkValue,
  daysUntilValue,
  findValue,
  unchangedChance,
} from "./freshness-value.ts";

const shapes = fc.double({ min: 0.05, max: 60, noNaN: true });
const spans = fc.double({ min: 0.01, max: 500, noNaN: true });
const taus = fc.double({ min: 1e-6, max: 400, noNaN: true });

/**
 * The definition itself, by Simpson's rule: the integral over the past of (unchanged then minus
 * unchanged now).
 */
function byQuadrature(shape: number, days: number, tau: number): number {
  const steps = 4000;
  const now = unchangedChance(shape, days, tau);
  let sum = 0;
  // The integrand is steep near 0 and flat later: equal steps in the logarithm resolve both.
  const log = Math.log1p(tau / days);
  for (let i = 0; i <= steps; i += 1) {
    const at = days * Math.expm1((log * i) / steps);
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * (unchangedChance(shape, days, at) - now) * (days + at);
  }
  return (sum * log) / (3 * steps);
}

describe("the value of a check", () => {
  it("is 0 right after a check, and never negative", () => {
    fc.assert(
      fc.property(shapes, spans, taus, (shape, days, tau) => {
        expect(checkValue(shape, days, 0)).toBe(0);
        expect(checkValue(shape, days, tau)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("never falls while nothing is observed", () => {
    fc.assert(
      fc.property(shapes, spans, taus, taus, (shape, days, a, b) => {
        const early = checkValue(shape, days, Math.min(a, b));
        const late = checkValue(shape, days, Math.max(a, b));
        expect(late).toBeGreaterThanOrEqual(early * (1 - 1e-6) - 1e-12);
      }),
    );
  });

  it("is the integral that defines it, by numeric quadrature", () => {
    fc.assert(
      fc.property(shapes, spans, taus, (shape, days, tau) => {
        const exact = byQuadrature(shape, days, tau);
        expect(Math.abs(checkValue(shape, days, tau) - exact)).toBeLessThanOrEqual(
          1e-5 * exact + 1e-12,
        );
      }),
    );
  });

  it("has no step where the series takes over from the closed form", () => {
    for (const shape of [0.05, 0.7, 1, 1 + 1e-10, 5, 1e6]) {
      const edge = 1e-3 / (shape + 2);
      const below = checkValue(shape, 1, edge * (1 - 1e-9));
      const above = checkValue(shape, 1, edge * (1 + 1e-9));
      expect(above / below).toBeCloseTo(1, 6);
    }
  });

  it("of a rate that is known is that of an exponential waiting time", () => {
    const rate = 0.3;
    const tau = 4;
    const known = (1 - Math.exp(-rate * tau)) / rate - tau * Math.exp(-rate * tau);
    expect(checkValue(1e6, 1e6 / rate, tau)).toBeCloseTo(known, 5);
  });
});

describe("the moment at which a check has a given value", () => {
  it("inverts the value", () => {
    fc.assert(
      fc.property(shapes, spans, taus, (shape, days, tau) => {
        const value = checkValue(shape, days, tau);
        // Where the value is almost constant, its moment cannot be determined.
        fc.pre(value > 1e-12 && value < 0.999 * checkValue(shape, days, 2 * tau));
        const back = daysUntilValue(shape, days, value);
        expect(Math.abs(checkValue(shape, days, back) - value)).toBeLessThanOrEqual(1e-6 * value);
      }),
    );
  });

  it("is now for 0, and never for a value that cannot be reached", () => {
    expect(daysUntilValue(2, 10, 0)).toBe(0);
    // With a shape above 1 the value is below days / (shape - 1).
    expect(daysUntilValue(3, 1, 0.6)).toBe(Infinity);
    expect(daysUntilValue(0.7, 5, checkValue(0.7, 5, horizonDays) * 1.01)).toBe(Infinity);
  });
});

describe("the value of being shown a change", () => {
  const quiets = fc.double({ min: 0, max: 100, noNaN: true });

  /** Simpson's rule over the days in which it then stays as it is. */
  function byQuadrature(shape: number, days: number, quiet: number, changing: number): number {
    const steps = 4000;
    let sum = 0;
    const log = Math.log1p(foundLaterDays / days);
    for (let i = 0; i <= steps; i += 1) {
      const at = days * Math.expm1((log * i) / steps);
      const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
      const chance =
        unchangedChance(shape, days, quiet + at) -
        unchangedChance(shape, days, quiet + changing + at);
      sum += weight * chance * (days + at);
    }
    return (sum * log) / (3 * steps);
  }

  it("is its chance times the days for which it then stays, by numeric quadrature", () => {
    fc.assert(
      fc.property(shapes, spans, quiets, taus, (shape, days, quiet, changing) => {
        const exact = byQuadrature(shape, days, quiet, changing);
        expect(Math.abs(findValue({ shape, days, quiet, changing }) - exact)).toBeLessThanOrEqual(
          1e-5 * exact + 1e-9,
        );
      }),
    );
  });

  it("is at most the time in which it could change: what changes soon again is not worth more", () => {
    fc.assert(
      fc.property(shapes, spans, quiets, taus, (shape, days, quiet, changing) => {
        expect(findValue({ shape, days, quiet, changing })).toBeLessThanOrEqual(changing + 1e-9);
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextSmoothCallAt } from "./start-call.ts";

const resetsAt = new Date("2026-11-21T15:00:00Z");
const before = (hours: number) => new Date(resetsAt.getTime() - hours * 3_600_000);

describe("smooth pacing", () => {
  it("spreads what remains of the calls over what remains of the day", () => {
    const now = before(10);
    const next = nextSmoothCallAt({ now, resetsAt, remaining: 3600, lastCallAt: now });
    expect(next.getTime() - now.getTime()).toBe(10_000);
  });

  it("calls at once after a pause, and not before the reset when nothing remains", () => {
    const now = before(1);
    expect(nextSmoothCallAt({ now, resetsAt, remaining: 60, lastCallAt: before(2) })).toEqual(now);
    expect(nextSmoothCallAt({ now, resetsAt, remaining: 60, lastCallAt: null })).toEqual(now);
    expect(nextSmoothCallAt({ now, resetsAt, remaining: 0, lastCallAt: null })).toEqual(resetsAt);
  });

  it("P8: does not wait for a last call that a clock running ahead put into the future", () => {
    const now = before(10);
    const ahead = new Date(now.getTime() + 10 * 60_000);
    expect(nextSmoothCallAt({ now, resetsAt, remaining: 3600, lastCallAt: ahead })).toEqual(now);
  });

  it("spends the whole limit by the end of the day, whenever it started, and never more", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.double({ min: 0.5, max: 24, noNaN: true }),
        (limit, hours) => {
          let now = before(hours);
          let lastCallAt: Date | null = null;
          let remaining = limit;
          while (now < resetsAt && remaining > 0) {
            now = nextSmoothCallAt({ now, resetsAt, remaining, lastCallAt });
            lastCallAt = now;
            remaining -= 1;
          }
          expect(remaining).toBe(0);
          expect(now.getTime()).toBeLessThanOrEqual(resetsAt.getTime());
        },
      ),
      { numRuns: 50 },
    );
  });
});

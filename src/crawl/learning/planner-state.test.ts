import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextThreshold } from "./planner-state.ts";

describe("the threshold of calls", () => {
  const worths = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

  it("moves towards what calls are worth, never past it", () => {
    fc.assert(
      fc.property(worths, worths, fc.integer({ min: 0, max: 1e6 }), (threshold, value, calls) => {
        const next = nextThreshold(threshold, value, calls);
        expect(next).toBeGreaterThanOrEqual(Math.min(threshold, value) * 0.999);
        expect(next).toBeLessThanOrEqual(Math.max(threshold, value) * 1.001);
      }),
    );
  });

  it("forgets in a few calls that everything had just been checked when it was set", () => {
    let threshold = 1e-9;
    for (let calls = 0; calls < 200; calls += 1) threshold = nextThreshold(threshold, 50, calls);
    expect(threshold).toBeGreaterThan(10);
  });
});

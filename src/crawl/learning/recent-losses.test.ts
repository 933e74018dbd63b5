import { describe, expect, it } from "vitest";
import { createRandom } from "../../lib/random.ts";
import { addLosses, burstOf, noLosses } from "./losses.ts";

const USUAL = 0.002;

/** Checks 2,000 products a day, in twenty calls; what is expected is what the planner makes of it. */
function afterDays(days: number, rate: number, recent = noLosses, from = 0) {
  const random = createRandom(3);
  let losses = recent;
  for (let call = 1; call <= 20 * days; call += 1) {
    const seen = Array.from({ length: 100 }).filter(() => random.exponential(rate) < 1).length;
    const expected = 100 * USUAL * burstOf(losses);
    losses = addLosses(losses, { seen, expected }, from + call / 20);
  }
  return losses;
}

describe("a burst of deletions", () => {
  it("is none while as many products are deleted as usual", () => {
    const burst = burstOf(afterDays(30, USUAL));
    expect(burst).toBeGreaterThan(0.5);
    expect(burst).toBeLessThan(2);
  });

  it("is found within a day, as large as it is, and forgotten when it is over", () => {
    const quiet = afterDays(10, USUAL);
    const burst = afterDays(1, 25 * USUAL, quiet, 10);
    expect(burstOf(burst)).toBeGreaterThan(6);
    const lasting = afterDays(5, 25 * USUAL, quiet, 10);
    expect(burstOf(lasting) / 25).toBeGreaterThan(0.65);
    expect(burstOf(lasting) / 25).toBeLessThan(1.2);
    expect(burstOf(afterDays(8, USUAL, lasting, 15))).toBeLessThan(2);
  });

  it("fades also while nothing is checked", () => {
    const burst = addLosses(noLosses, { seen: 40, expected: 0 }, 100);
    expect(burstOf(burst)).toBeGreaterThan(20);
    expect(burstOf(addLosses(burst, { seen: 0, expected: 0 }, 108))).toBeLessThan(1.1);
  });

  it("multiplies no rate by more than 100, and none by less than a hundredth", () => {
    expect(burstOf(addLosses(noLosses, { seen: 1e6, expected: 0 }, 1))).toBe(100);
    expect(burstOf(addLosses(noLosses, { seen: 0, expected: 1e6 }, 1))).toBe(0.01);
  });
});

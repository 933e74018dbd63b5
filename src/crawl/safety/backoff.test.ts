import { describe, expect, it } from "vitest";
import { retryDelayMs } from "./backoff.ts";

const DAY = 86_400_000;

const FULL = 10_000;

/** The calls that an always failing subject gets within so many days. */
function callsWithin(
  kind: "keyword" | "shop" | "product" | "page",
  days: number,
  callsPerDay = FULL,
): number {
  let calls = 1;
  let ms = retryDelayMs(kind, 1, callsPerDay);
  for (; ms < days * DAY; ms += retryDelayMs(kind, calls, callsPerDay)) calls += 1;
  return calls;
}

describe("the backoff of failing subjects", () => {
  it("B1: a shop or list that always fails gets 14 calls on its first day, and then one a day", () => {
    for (const kind of ["keyword", "shop"] as const) {
      expect(callsWithin(kind, 1)).toBeLessThanOrEqual(14);
      expect(callsWithin(kind, 31) - callsWithin(kind, 30)).toBeLessThanOrEqual(1);
    }
  });

  it("B1: a product or position that always fails gets 8 calls on its first day, and 2 in a later month", () => {
    for (const kind of ["product", "page"] as const) {
      expect(callsWithin(kind, 1)).toBeLessThanOrEqual(8);
      expect(callsWithin(kind, 60) - callsWithin(kind, 30)).toBeLessThanOrEqual(2);
    }
  });

  it("B1: once it is clear what fails, that gets at most 1% of the calls, however few there are", () => {
    for (const callsPerDay of [30, 240, 1000, 10_000]) {
      for (const kind of ["keyword", "shop", "product", "page"] as const) {
        const first = callsWithin(kind, 0.001, callsPerDay);
        const later = callsWithin(kind, 30, callsPerDay) - Math.max(first, 7);
        expect(later).toBeLessThanOrEqual(Math.max(1, 0.01 * 30 * callsPerDay));
      }
    }
  });

  it("never shrinks and never grows beyond its longest", () => {
    for (const kind of ["keyword", "shop", "product", "page"] as const) {
      let last = 0;
      for (let failures = 1; failures < 3000; failures += 1) {
        const next = retryDelayMs(kind, failures, FULL);
        expect(next).toBeGreaterThanOrEqual(last);
        expect(next).toBeLessThanOrEqual(16 * DAY);
        last = next;
      }
    }
  });
});

import { describe, expect, it } from "vitest";
import { retryDelayMs } from "./backoff.ts";

const DAY = 86_400_000;

/** Calls that a subject which always fails gets within so many days. */
function callsWithin(kind: "keyword" | "shop" | "product" | "page", days: number): number {
  let calls = 1;
  for (let ms = retryDelayMs(kind, 1); ms < days * DAY; ms += retryDelayMs(kind, calls)) calls += 1;
  return calls;
}

describe("the pause of what calls fail on", () => {
  it("B1: a shop or list that always fails gets 18 calls on its first day, and then one a day", () => {
    for (const kind of ["keyword", "shop"] as const) {
      expect(callsWithin(kind, 1)).toBeLessThanOrEqual(18);
      expect(callsWithin(kind, 31) - callsWithin(kind, 30)).toBeLessThanOrEqual(1);
    }
  });

  it("B1: a product or position that always fails gets 8 calls on its first day, and 2 in a later month", () => {
    for (const kind of ["product", "page"] as const) {
      expect(callsWithin(kind, 1)).toBeLessThanOrEqual(8);
      expect(callsWithin(kind, 60) - callsWithin(kind, 30)).toBeLessThanOrEqual(2);
    }
  });

  it("never shrinks and never grows beyond its longest", () => {
    for (const kind of ["keyword", "shop", "product", "page"] as const) {
      let last = 0;
      for (let failures = 1; failures < 3000; failures += 1) {
        const next = retryDelayMs(kind, failures);
        expect(next).toBeGreaterThanOrEqual(last);
        expect(next).toBeLessThanOrEqual(16 * DAY);
        last = next;
      }
    }
  });
});

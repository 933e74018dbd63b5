import fc from "fast-check";
import { expect, it } from "vitest";
import { longestRetryAfterMs, mostAttempts, pauseAfter, toRetryAfterMs } from "./deliveries.ts";

const hourMs = 3_600_000;

it("tries ten times within about three days", () => {
  const pauses = Array.from({ length: mostAttempts }, (_, i) => pauseAfter(i + 1, null, () => 0));
  const expected = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs);
  expect(pauses).toEqual([...expected, null]);
});

it("adds up to a tenth of jitter, and waits longer only where the endpoint asks for it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: mostAttempts - 1 }),
      fc.option(fc.integer({ min: 0, max: 10 * longestRetryAfterMs })),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempts, wishedMs, random) => {
        const least = pauseAfter(attempts, null, () => 0) ?? 0;
        const pause = pauseAfter(attempts, wishedMs, () => random) ?? 0;
        const wished = Math.min(wishedMs ?? 0, longestRetryAfterMs);
        expect(pause).toBeGreaterThanOrEqual(Math.max(least, wished));
        expect(pause).toBeLessThanOrEqual(Math.max(least * 1.1 + 1, wished));
      },
    ),
  );
});

it("reads Retry-After as seconds or a date", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  expect(toRetryAfterMs("120", now)).toBe(120_000);
  expect(toRetryAfterMs("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60_000);
  expect(toRetryAfterMs("Thu, 01 Jan 2015 00:01:00 GMT", now)).toBe(0);
  for (const other of [undefined, "", "-1", "1.5", "soon", "2026-01-01", "9".repeat(30)]) {
    expect(toRetryAfterMs(other, now)).toBeNull();
  }
});

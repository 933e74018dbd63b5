import fc from "fast-check";
import { createTask } from "node-cron";
import { expect, it } from "vitest";
import { createFires, cronFault } from "./schedule.ts";

const DAY_MS = 86_400_000;
/** A field of a cron expression, of numbers up to this one. */
const field = (most: number) =>
  fc.oneof(
    fc.constant("*"),
    fc.integer({ min: 1, max: most }).map(String),
    fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 1, max: most }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)},${a}`),
  );

it("the times of a day are those at which the expression holds, in every zone and with summer time", () => {
  const expression = fc
    .tuple(field(59), field(23), fc.constantFrom("*", "1", "1-28/3"), field(12), field(6))
    .map((fields) => fields.join(" "))
    .filter((text) => cronFault(text) === null);
  const timezone = fc.constantFrom("Asia/Tokyo", "America/New_York", "Australia/Lord_Howe");
  const day = fc.integer({ min: 0, max: 364 }).map((n) => Date.parse("2026-01-01") + n * DAY_MS);
  fc.assert(
    fc.property(expression, timezone, day, (cron, zone, dayMs) => {
      const task = createTask(cron, () => {}, { timezone: zone });
      const minutes = Array.from({ length: 1440 }, (_, minute) => dayMs + minute * 60_000);
      expect(createFires(zone)(cron, dayMs)).toEqual(
        minutes.filter((ms) => task.match(new Date(ms))),
      );
    }),
    { numRuns: 15 },
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activeDays, countHours, evenDay, toDayPattern } from "./day-pattern.ts";

const DAY = 20_000;
/** Every day at five in the morning, for so many days. */
const atFive = (days: number) =>
  Array.from({ length: days }, (_, day) => [DAY + day + 5.01 / 24]).reduce(
    (counts, moments) => countHours(counts, moments),
    [] as number[],
  );

describe("the pattern of a day", () => {
  it("a whole day is one active day, whatever the hours, and parts of it add up", () => {
    const hours = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 24 });
    const moment = fc.double({ min: 0, max: 40_000, noNaN: true });
    fc.assert(
      fc.property(hours, hours, moment, moment, moment, (own, all, a, b, c) => {
        const pattern = toDayPattern(own, all);
        expect(activeDays(pattern, a, a + 1)).toBeCloseTo(1, 6);
        const [x = 0, y = 0, z = 0] = [a, b, c].toSorted((m, n) => m - n);
        expect(activeDays(pattern, x, y) + activeDays(pattern, y, z)).toBeCloseTo(
          activeDays(pattern, x, z),
          6,
        );
      }),
    );
  });

  it("without evidence every hour counts the same", () => {
    expect(activeDays(evenDay, DAY, DAY + 0.25)).toBeCloseTo(0.25, 9);
  });

  it("learns the hour at which a keyword changes, and still expects some changes at others", () => {
    const pattern = toDayPattern(atFive(60), []);
    expect(activeDays(pattern, DAY + 5 / 24, DAY + 6 / 24)).toBeGreaterThan(0.7);
    expect(activeDays(pattern, DAY + 6 / 24, DAY + 1)).toBeGreaterThan(0.05);
  });

  it("a keyword of which little is known follows all keywords", () => {
    const pattern = toDayPattern([], atFive(60));
    expect(activeDays(pattern, DAY + 5 / 24, DAY + 6 / 24)).toBeGreaterThan(0.5);
  });

  it("a thousand changes at one moment count less than ten times a hundred days of one", () => {
    const once = countHours(
      atFive(30),
      Array.from({ length: 1000 }, () => DAY + 17.01 / 24),
    );
    expect(once[5] ?? 0).toBeGreaterThan((once[17] ?? 0) / 2);
  });
});

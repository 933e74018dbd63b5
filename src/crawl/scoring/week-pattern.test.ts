import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  activeDays,
  addMoments,
  afterActiveDays,
  evenWeek,
  noMoments,
  shareMoments,
  toWeekPattern,
  type ChangeMoments,
} from "./week-pattern.ts";

const DAY = 20_000;
const FIVE = 5.01 / 24;
const nothing = shareMoments([]);
const manyAt = (moment: number, count = 100) => Array.from({ length: count }, () => moment);
/** One page for each of these moments, which shows all since the day of the page before. */
function pages(moments: readonly (readonly number[])[]): ChangeMoments {
  let own = noMoments;
  let readTo = Infinity;
  for (const ofPage of moments) {
    const day = Math.floor(ofPage[0] ?? DAY);
    own = addMoments(own, ofPage, { from: Math.min(readTo, day), to: day + 1 });
    readTo = day + 1;
  }
  return own;
}
/** Every day at five in the morning, for so many days. */
const atFive = (days: number) =>
  pages(Array.from({ length: days }, (_, day) => [DAY + day + FIVE]));
/** Once a week, on the weekday of `DAY`. */
const weekly = (weeks: number) =>
  pages(Array.from({ length: weeks }, (_, week) => manyAt(DAY + 7 * week + FIVE)));
/** Of a week's active days, those on the weekday of `DAY`. */
const activeThen = (own: ChangeMoments, all = nothing) =>
  activeDays(toWeekPattern(own, all), DAY + 700, DAY + 701);

const counts = fc.record({
  hours: fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 24, maxLength: 24 }),
  weekdays: fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 7, maxLength: 7 }),
  readHours: fc.array(fc.double({ min: 0, max: 1e3, noNaN: true }), {
    minLength: 24,
    maxLength: 24,
  }),
  readWeekdays: fc.array(fc.double({ min: 0, max: 1e3, noNaN: true }), {
    minLength: 7,
    maxLength: 7,
  }),
  squares: fc.double({ min: 0, max: 1e12, noNaN: true }),
  latest: fc.constant({ day: DAY, items: 1 }),
});
const moment = fc.double({ min: 0, max: 40_000, noNaN: true });

describe("the pattern of a week", () => {
  it("a week is 7 active days, whatever was seen, and parts of it add up", () => {
    fc.assert(
      fc.property(counts, counts, moment, moment, moment, (own, other, a, b, c) => {
        const pattern = toWeekPattern(own, shareMoments([own, other]));
        expect(activeDays(pattern, a, a + 7)).toBeCloseTo(7, 5);
        const [x = 0, y = 0, z = 0] = [a, b, c].toSorted((m, n) => m - n);
        expect(activeDays(pattern, x, y) + activeDays(pattern, y, z)).toBeCloseTo(
          activeDays(pattern, x, z),
          5,
        );
      }),
    );
  });

  it("so many active days after a moment lies the moment at which they have passed", () => {
    const days = fc.double({ min: 0, max: 4000, noNaN: true });
    fc.assert(
      fc.property(counts, moment, days, (own, from, passed) => {
        const pattern = toWeekPattern(own, nothing);
        const at = afterActiveDays(pattern, from, passed);
        expect(activeDays(pattern, from, at)).toBeCloseTo(passed, 5);
      }),
    );
    expect(afterActiveDays(evenWeek, DAY, Infinity)).toBe(Infinity);
  });

  it("without evidence every hour counts the same", () => {
    expect(activeDays(evenWeek, DAY, DAY + 0.25)).toBeCloseTo(0.25, 9);
  });

  it("learns the hour at which a keyword changes, and still expects some changes at others", () => {
    const pattern = toWeekPattern(atFive(60), nothing);
    expect(activeDays(pattern, DAY + 5 / 24, DAY + 6 / 24)).toBeGreaterThan(0.7);
    expect(activeDays(pattern, DAY + 6 / 24, DAY + 1)).toBeGreaterThan(0.05);
  });

  it("learns nothing from the hours and weekdays at which pages are read", () => {
    // Changes come evenly, the pages show those of six hours, on workdays of three weeks.
    let own = noMoments;
    for (let day = 0; day < 21; day += 1) {
      if (day % 7 > 4) continue;
      const from = DAY + day + 0.3;
      const moments = Array.from({ length: 50 }, (_, i) => from + (i / 50) * 0.25);
      own = addMoments(own, moments, { from, to: from + 0.25 });
    }
    const pattern = toWeekPattern(own, shareMoments([own]));
    expect(activeDays(pattern, DAY + 0.3, DAY + 0.55)).toBeCloseTo(0.25, 1);
    expect(activeDays(pattern, DAY + 5, DAY + 7)).toBeCloseTo(2, 1);
  });

  it("knows that an hour changes more although the page that shows it reaches less far", () => {
    let own = noMoments;
    for (let day = 0; day < 21; day += 1) {
      const from = DAY + day;
      const morning = Array.from({ length: 25 }, (_, i) => from + (i / 25) * 0.5);
      const evening = Array.from({ length: 25 }, (_, i) => from + 0.75 + (i / 25) * 0.05);
      own = addMoments(own, morning, { from, to: from + 0.5 });
      own = addMoments(own, evening, { from: from + 0.75, to: from + 0.8 });
    }
    const pattern = toWeekPattern(own, nothing);
    expect(activeDays(pattern, DAY + 18 / 24, DAY + 19 / 24)).toBeGreaterThan(
      2 * activeDays(pattern, DAY + 6 / 24, DAY + 7 / 24),
    );
  });

  it("learns the weekday on which a keyword changes, and of changes on all days none", () => {
    expect(activeThen(weekly(10))).toBeGreaterThan(4.5);
    expect(activeThen(atFive(70))).toBeCloseTo(1, 1);
  });

  it("however many changes one date has, it tells little of the next week", () => {
    expect(activeThen(weekly(1))).toBeLessThan(2.5);
    const again = pages([manyAt(DAY + FIVE, 50), manyAt(DAY + FIVE, 50), manyAt(DAY + FIVE, 50)]);
    expect(activeThen(again)).toBeLessThan(2.5);
  });

  it("a keyword of which little is known follows all keywords", () => {
    const pattern = toWeekPattern(noMoments, shareMoments([atFive(60)]));
    expect(activeDays(pattern, DAY + 5 / 24, DAY + 6 / 24)).toBeGreaterThan(0.5);
    expect(activeThen(noMoments, shareMoments([weekly(10), weekly(10)]))).toBeGreaterThan(3);
  });

  it("one date on which all keywords changed counts once for all of them", () => {
    const all = shareMoments(Array.from({ length: 40 }, () => weekly(1)));
    expect(activeThen(noMoments, all)).toBeLessThan(2.5);
  });

  it("a thousand changes at one moment count less than ten times a hundred days of one", () => {
    const day = { from: DAY, to: DAY + 1 };
    const { hours } = addMoments(atFive(30), manyAt(DAY + 17.01 / 24, 1000), day);
    expect(hours[5] ?? 0).toBeGreaterThan((hours[17] ?? 0) / 2);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evenWeek } from "./week-pattern.ts";
import {
  afterFailure,
  afterFirstPage,
  afterGapPage,
  newReading,
  nextStart,
  quietDays,
  readDays,
  unreadDays,
  type Reading,
} from "./reading.ts";

const NOW = 20_000;
const unknown = { start: 0, pages: 1, expected: 50, surplus: 0, newShare: 0 };
const none = { here: 0, below: 0 };
const full = { items: 50, found: 1e6, news: 50, newsOfOldest: 1, created: 50, expected: none };
const firstPage = (at: number, oldest: number, news = 50) => ({
  ...full,
  start: 0,
  at,
  newest: at,
  oldest,
  news,
  later: Array.from({ length: news }, (_, i) => at - (i * (at - oldest)) / news),
  reachesKnown: false,
});

/** Moments are stored to a millionth of a day. */
const stored = (reading: Reading): Reading => ({
  ...reading,
  gaps: reading.gaps.map((gap) => ({
    ...gap,
    from: Math.round(gap.from * 1e6) / 1e6,
    to: Math.round(gap.to * 1e6) / 1e6,
  })),
});

describe("what was read of a keyword's newest changes", () => {
  it("a first page that reaches the one before it leaves nothing unread", () => {
    const reading = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW - 1, 20));
    expect(reading).toMatchObject({ until: NOW + 1, gaps: [] });
    expect(readDays(reading, evenWeek, NOW)).toBeCloseTo(1, 9);
    expect(unreadDays(reading, evenWeek, NOW, NOW + 1.5).recent).toBeCloseTo(0.5, 9);
  });

  it("one that does not leaves a gap, in which changes of products checked before it may be", () => {
    const reading = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
    expect(reading.gaps).toMatchObject([{ from: NOW, to: NOW + 0.8, next: { start: 50 } }]);
    expect(unreadDays(reading, evenWeek, NOW - 1, NOW + 1).missed).toBeCloseTo(0.8, 9);
    expect(unreadDays(reading, evenWeek, NOW + 0.9, NOW + 1).missed).toBe(0);
    expect(readDays(reading, evenWeek, NOW)).toBeCloseTo(0.2, 9);
  });

  it("of a product that has changed, the days known to be without a change are those that were read, and those since that were shown", () => {
    // Read were the first day and the last fifth of the second.
    const read = afterFirstPage(newReading(NOW + 1), firstPage(NOW + 2, NOW + 1.8));
    const keyword = { reading: read, pattern: evenWeek };
    const at = NOW + 2.5;
    const quiet = (changedAt: number, byList: boolean) =>
      quietDays(keyword, { checkedAt: NOW, changedAt, at, byList });
    // A page of the gap does not tell whether another product has changed since it was read last.
    expect(quiet(NOW + 1.5, true)).toBeCloseTo(1 + 0.3 + 0.2, 9);
    expect(quiet(NOW + 1.5, false)).toBeCloseTo(1 + 1, 9);
    expect(quiet(NOW + 2.4, true)).toBeCloseTo(1 + 0.2 + 0.1, 9);
    expect(quiet(NOW + 2.4, false)).toBeCloseTo(1 + 0.2 + 0.1, 9);
    const alone = { checkedAt: NOW, changedAt: NOW + 2.4, at, byList: false };
    expect(quietDays(undefined, alone)).toBeCloseTo(0.1, 9);
  });

  it("the pages of a gap close it from its newest end", () => {
    let reading = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
    const [gap] = reading.gaps;
    if (!gap) throw new Error("no gap");
    const page = { ...full, start: 50, at: NOW + 1, newest: NOW + 0.8 };
    reading = afterGapPage(reading, gap, { ...page, oldest: NOW + 0.3 });
    expect(reading.gaps).toMatchObject([{ from: NOW, to: NOW + 0.3, next: { start: 100 } }]);
    const [rest] = reading.gaps;
    if (!rest) throw new Error("no gap");
    reading = afterGapPage(reading, rest, {
      ...page,
      start: 100,
      newest: NOW + 0.3,
      oldest: NOW - 3,
    });
    expect(reading.gaps).toEqual([]);
  });

  it("a gap that is being read keeps its place in the list while newer changes move it down", () => {
    let reading = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
    reading = afterFirstPage(reading, { ...firstPage(NOW + 1.1, NOW - 1, 7), reachesKnown: true });
    expect(reading.gaps[0]?.next?.start).toBe(57);
  });

  it("a page that was too far down leaves what it passed over, unread for good", () => {
    const before = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
    const [gap] = before.gaps;
    if (!gap) throw new Error("no gap");
    const page = { ...full, start: 90, at: NOW + 1, newest: NOW + 0.6, oldest: NOW + 0.4 };
    const { gaps } = afterGapPage(before, gap, page);
    expect(gaps).toMatchObject([
      { from: NOW + 0.6, to: NOW + 0.8, next: null },
      { from: NOW, to: NOW + 0.4, next: { start: 140 } },
    ]);
  });

  it("a gap whose page shows nothing unread is not read further, and one above it is tried again", () => {
    const before = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
    const [gap] = before.gaps;
    if (!gap) throw new Error("no gap");
    const page = { ...full, start: 60, at: NOW + 1, news: 0 };
    const below = afterGapPage(before, gap, { ...page, newest: NOW - 1, oldest: NOW - 2 });
    expect(below.gaps).toMatchObject([{ from: NOW, to: NOW + 0.8, next: null }]);
    const above = afterGapPage(before, gap, { ...page, newest: NOW + 1, oldest: NOW + 0.9 });
    expect(above.gaps[0]?.next).toMatchObject({ start: 110 });
  });

  it("a gap whose page shows only what is known may lie further down, and is tried again", () => {
    const before = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
    const [gap] = before.gaps;
    if (!gap?.next) throw new Error("no gap");
    const page = { ...full, start: 50, at: NOW + 1, newest: NOW + 0.8, oldest: NOW + 0.8, news: 0 };
    const next = afterGapPage(before, gap, page).gaps[0]?.next;
    expect(next).toMatchObject({ start: 100, expected: gap.next.expected / 2 });
  });

  describe("the next page of a gap is expected to show", () => {
    const next = (page: Partial<typeof full>) =>
      afterFirstPage(newReading(NOW), { ...firstPage(NOW + 1, NOW + 0.8), ...page }).gaps[0]?.next;

    it("what change rates let one expect below the page, if they explain what it shows", () => {
      const expected = { here: 50, below: 4 };
      expect(next({ expected })).toMatchObject({ expected: 4, surplus: 0 });
      expect(next({ expected: { ...expected, below: 0 } })).toBe(null);
    });

    it("half as much of what they do not explain, or what the page shows of its oldest moment", () => {
      expect(next({ expected: { here: 20, below: 4 } })).toMatchObject({
        expected: 19,
        surplus: 15,
      });
      const imported = { expected: { here: 50, below: 4 }, newsOfOldest: 41 };
      expect(next(imported)).toMatchObject({ expected: 24, surplus: 20 });
    });

    it("what is expected after each of its pages anew", () => {
      const before = afterFirstPage(newReading(NOW), firstPage(NOW + 1, NOW + 0.8));
      const [gap] = before.gaps;
      if (!gap) throw new Error("no gap");
      const page = { ...full, start: 50, at: NOW + 1, newest: NOW + 0.8, oldest: NOW + 0.5 };
      const after = (shown: Partial<typeof full>) =>
        afterGapPage(before, gap, { ...page, ...shown }).gaps[0]?.next;
      const expected = { here: 20, below: 10 };
      expect(after({ expected, news: 18 })).toMatchObject({ expected: 22.5, surplus: 12.5 });
      expect(after({ expected, news: 50 })).toMatchObject({ expected: 30, surplus: 20 });
    });
  });

  it("many changes of one instant are read to the last, while newer ones move them down", () => {
    const newer = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 900 }), newer, fc.nat(60), (count, arrivals, here) => {
        // The list, newest first; all changes of one moment come from one nightly import.
        const list = [NOW + 0.2083333, NOW - 3].flatMap((at, i) =>
          Array.from({ length: i === 0 ? count : 60 }, () => ({ at, isRead: i > 0 })),
        );
        let reading: Reading = newReading(NOW);
        for (let step = 0; step < 120; step += 1) {
          const at = NOW + 0.3 + step / 100;
          const gap = reading.gaps
            .filter(({ next }) => next !== null)
            .toSorted((a, b) => (b.next?.expected ?? 0) - (a.next?.expected ?? 0))[0];
          const isFirst = step % 15 === 0 || !gap?.next;
          if (step % 15 === 0) {
            const added = step === 0 ? 0 : (arrivals[step / 15 - 1] ?? 0);
            list.unshift(
              ...Array.from({ length: added }, () => ({ at: at - 1e-4, isRead: false })),
            );
          }
          const found = list.length;
          const start = isFirst ? 0 : nextStart(reading, gap?.next ?? unknown, { found, at });
          const shown = list.slice(start, start + 50);
          const news = shown.filter(({ isRead }) => !isRead).length;
          const later = shown.map((one) => one.at).filter((one) => one > reading.until);
          const isEnd = start + 50 >= list.length;
          const oldest = isEnd ? -Infinity : (shown.at(-1)?.at ?? at);
          const ofOldest = shown.filter((one) => !one.isRead && one.at === oldest);
          for (const one of shown) one.isRead = true;
          const page = {
            start,
            at,
            newest: shown[0]?.at ?? at,
            oldest,
            items: shown.length,
            found,
            news,
            newsOfOldest: ofOldest.length,
            created: news,
            expected: { here, below: 0 },
          };
          reading = isFirst
            ? afterFirstPage(reading, { ...page, later, reachesKnown: news < shown.length })
            : afterGapPage(reading, gap, page);
          reading = stored(reading);
        }
        expect(list.filter(({ isRead }) => !isRead)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it("what could not be read is a gap", () => {
    const reading = afterFailure(newReading(NOW), NOW + 2);
    expect(reading).toMatchObject({ until: NOW + 2, gaps: [{ from: NOW, to: NOW + 2 }] });
  });

  it("the next page begins where the flow of changes has moved it, rather too early", () => {
    let reading: Reading = newReading(NOW);
    for (let day = 1; day <= 20; day += 1) {
      reading = afterFirstPage(reading, firstPage(NOW + day, NOW + day - 1, 40));
    }
    const start = nextStart(reading, { ...unknown, start: 50 }, { found: 1e6, at: NOW + 20.5 });
    expect(start).toBeGreaterThan(60);
    expect(start).toBeLessThanOrEqual(70);
  });

  it("the next page never lies below the end of a list whose products change all the time", () => {
    const found = 200;
    let reading: Reading = afterFirstPage(newReading(NOW), {
      ...firstPage(NOW + 1, NOW + 0.8),
      found,
    });
    for (let day = 2; day <= 30; day += 1) {
      reading = afterFirstPage(reading, { ...firstPage(NOW + day, NOW + day - 0.2), found });
    }
    for (const { next } of reading.gaps) {
      const at = NOW + 30.9;
      expect(nextStart(reading, next ?? unknown, { found, at })).toBeLessThanOrEqual(found);
    }
  });

  it("whatever pages show, gaps lie apart before the latest first page, and are few", () => {
    const steps = fc.array(
      fc.record({
        days: fc.double({ min: 0, max: 3, noNaN: true }),
        depth: fc.double({ min: -1, max: 4, noNaN: true }),
        isFirst: fc.boolean(),
        news: fc.integer({ min: 0, max: 50 }),
      }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(steps, (pages) => {
        let reading: Reading = newReading(NOW);
        let at = NOW;
        for (const { days, depth, isFirst, news } of pages) {
          at += days;
          const gap = reading.gaps.find((one) => one.next !== null);
          const oldest = at - depth;
          reading =
            isFirst || !gap?.next
              ? afterFirstPage(reading, firstPage(at, Math.min(at, oldest), news))
              : afterGapPage(reading, gap, {
                  ...full,
                  news,
                  start: nextStart(reading, gap.next, { found: 1e6, at }),
                  at,
                  newest: oldest + 0.1,
                  oldest,
                });
          expect(reading.gaps.length).toBeLessThanOrEqual(25);
          let newer = reading.until;
          for (const { from, to, next } of reading.gaps) {
            expect(to).toBeLessThanOrEqual(newer + 1e-9);
            expect(to).toBeGreaterThan(from);
            expect(next === null || (next.start >= 0 && next.expected <= 50)).toBe(true);
            newer = from;
          }
          const { recent, missed } = unreadDays(reading, evenWeek, NOW - 1, at);
          expect(recent + missed).toBeLessThanOrEqual(at - NOW + 1 + 1e-6);
        }
      }),
    );
  });
});

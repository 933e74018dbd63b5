import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterFeedScan,
  afterPush,
  busyDays,
  countAbove,
  emptyBacklog,
  expectUnread,
  firstPosition,
  firstPush,
  isBursty,
  placesToSkip,
  type Backlog,
} from "./backlog.ts";

const START = 20_000;
const FOUND = 100_000;

/** Scans that read everything, at these moments; `cameUntil` counts the changes up to a moment. */
function scans(moments: readonly number[], cameUntil: (at: number) => number): Backlog {
  let backlog = emptyBacklog(START);
  let before = cameUntil(START);
  for (const endedAt of moments) {
    const above = cameUntil(endedAt) - before;
    before = cameUntil(endedAt);
    backlog = afterFeedScan(backlog, {
      above,
      isCounted: true,
      read: { left: 0, itemId: 1 },
      endedAt,
      modifiedAt: Array.from({ length: above }, (_, i) => endedAt - (i % 10) / 240),
      found: FOUND,
    });
  }
  return backlog;
}

const every = (days: number, times: number) =>
  Array.from({ length: times }, (_, i) => START + (i + 1) * days);

describe("changes that are not read yet", () => {
  it("are expected at the rate at which they came", () => {
    const backlog = scans(every(1 / 24, 200), (at) => Math.floor((at - START) * 1200));
    const unread = expectUnread(backlog, backlog.at + 1 / 24, FOUND);
    expect(isBursty(backlog)).toBe(false);
    expect(unread).toBeGreaterThan(40);
    expect(unread).toBeLessThan(60);
  });

  it("are read from a page before those that are known, so that the page shows some of these", () => {
    const backlog = {
      ...scans(every(1 / 24, 200), (at) => Math.floor((at - START) * 1200)),
      items: 300,
    };
    const position = firstPosition(backlog, backlog.at + 1 / 24, FOUND);
    expect(position + 50).toBeGreaterThan(350);
    expect(position + 50).toBeLessThan(370);
    expect(firstPosition({ ...backlog, items: 0 }, backlog.at, FOUND)).toBe(0);
  });

  it("that come at one moment of the day are not expected while it is not known which", () => {
    const backlog = scans(every(0.25, 12), (at) => 1000 * Math.floor(at - START));
    expect(isBursty(backlog)).toBe(true);
    expect(firstPosition(backlog, backlog.at + 0.2, FOUND)).toBe(0);
  });

  it("are no bursts because one scan counted wrongly", () => {
    const regular = scans(every(1 / 24, 100), (at) => Math.floor((at - START) * 1200));
    const wrong = { above: 5000, isCounted: true, read: null, modifiedAt: [], found: FOUND };
    expect(isBursty(afterFeedScan(regular, { ...wrong, endedAt: regular.at + 1 / 24 }))).toBe(
      false,
    );
  });

  it("are fewer than the position at which a scan met only known products", () => {
    const backlog = { ...emptyBacklog(START), items: 400 };
    const met = { above: 200, isCounted: true, read: null, modifiedAt: [], found: FOUND };
    expect(afterFeedScan(backlog, { ...met, endedAt: START + 0.1 }).items).toBeLessThan(200);
  });

  it("come in the hours in which they came before; a whole day is a day", () => {
    const night = {
      ...emptyBacklog(START),
      hours: Array.from({ length: 24 }, (_, h) => (h < 6 ? 200 : 0)),
    };
    expect(busyDays(night, START, START + 0.25)).toBeGreaterThan(0.8);
    expect(busyDays(night, START + 0.5, START + 0.75)).toBeLessThan(0.1);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (from) => {
        expect(busyDays(night, START + from, START + from + 3)).toBeCloseTo(3, 6);
      }),
    );
  });

  it("are counted up to the first product that is known, also among those of one moment", () => {
    const page = [9, 7, 7, 7, 3].map((modified, i) => ({ modified, itemId: 100 - i }));
    expect(countAbove(page, null, null)).toBe(5);
    expect(countAbove(page, 7, null)).toBe(4);
    expect(countAbove(page, 7, 98)).toBe(2);
    expect(countAbove(page, 2, null)).toBe(5);
    expect(countAbove(page, 20, null)).toBe(0);
  });
});

describe("the places by which newer changes push a list down", () => {
  it("are learned from what pages repeat, and left out short of doubt", () => {
    let push = firstPush(emptyBacklog(START));
    const days = 1 / 24;
    for (let page = 1; page < 6; page += 1) {
      const skipped = placesToSkip(push, days);
      expect(skipped).toBeLessThan(40);
      const seen = { repeated: 40 - skipped, skipped, days, daysInAll: page * days };
      push = afterPush(push, seen);
    }
    expect(push.places).toBe(200);
    expect(placesToSkip(push, days)).toBeGreaterThan(20);
  });

  it("are more than a page that shows nothing else tells", () => {
    const push = afterPush(
      { places: 0, perDay: 0 },
      { repeated: 50, skipped: 0, days: 0.1, daysInAll: 0.1 },
    );
    expect(push.perDay).toBeGreaterThan(500);
  });
});

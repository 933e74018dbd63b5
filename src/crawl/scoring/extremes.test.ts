import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noMoments, shareMoments, toWeekPattern } from "./week-pattern.ts";
import { callsForTarget, forecast } from "./forecast.ts";
import { lossRate, bumpShare, overallMean, shopMean } from "./rate-estimate.ts";
import { newReading } from "./reading.ts";
import { batchDueAt, itemDueAt } from "./due-times.ts";
import { bestBatch, checkLaw, itemValue, unchangedSince, type ItemStats } from "./scoring.ts";
import { expectUnread } from "./unread-value.ts";
import {
  afterArrivals,
  afterCheck,
  arrivalRates,
  expectCheck,
  newestGrowth,
  priorArrivals,
  priorYield,
} from "./yield.ts";

const NOW = 20_000;

const upTo = (max: number) =>
  fc.oneof(
    fc.constantFrom(0, max),
    fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x * max),
    // Small as well as large magnitudes.
    fc.double({ min: -30, max: 0, noNaN: true }).map((x) => max * Math.exp(x)),
  );
const spans = fc.constantFrom(0, 1e-9, 0.004, 1, 40, 4000);

/** Possible sums in the database, also after a restore or for a shop without deletions. */
const shops = fc
  .record({
    changes: upTo(1e7),
    days: upTo(1e9),
    losses: upTo(1e6),
    bumped: upTo(1e9),
    silent: upTo(1e9),
    goneWeight: upTo(1000).map((weight) => Math.max(1, weight)),
  })
  .map(({ changes, days, losses, bumped, silent, goneWeight }) => ({
    shopId: "s",
    goneWeight,
    meanRate: shopMean({ changes, days }, overallMean({ changes, days })),
    lossRate: losses === 0 ? 0 : lossRate({ losses, lossDays: days }, { losses, lossDays: days }),
    bumpShare: silent === 0 && bumped > 0 ? 1 : bumpShare({ bumped, silent }, { bumped, silent }),
  }));

const keywords = fc
  .record({
    arrivals: upTo(1e6),
    days: upTo(1e4),
    value: upTo(1e9),
    pages: upTo(1e6),
    ago: spans,
    products: upTo(1e7),
    moments: fc.record({
      hours: fc.array(upTo(1e6), { minLength: 24, maxLength: 24 }),
      weekdays: fc.array(upTo(1e6), { minLength: 7, maxLength: 7 }),
      squares: upTo(1e12),
    }),
    gaps: fc.array(
      fc.record({
        ago: spans,
        days: spans,
        start: fc.nat(),
        expected: upTo(50),
        surplus: upTo(50),
        newShare: fc.double({ min: 0, max: 1, noNaN: true }),
        isRead: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ products, arrivals, days, value, pages, ago, moments, gaps: drawn }) => {
    const gaps = drawn.map(
      ({ ago: end, days: length, start, expected, surplus, newShare, isRead }) => ({
        from: NOW - ago - end - length,
        to: NOW - ago - end,
        next: isRead ? { start, pages: 1, expected, surplus, newShare } : null,
      }),
    );
    const counted = afterArrivals(priorArrivals(arrivals, 1), {
      items: arrivals,
      weight: value,
      days,
    });
    return {
      keywordId: 1,
      products,
      reading: {
        ...newReading(NOW - ago),
        gaps,
        flow: { items: pages, squares: pages * 50, days },
        everyDays: ago,
      },
      pattern: toWeekPattern({ ...noMoments, ...moments }, shareMoments([])),
      absences: null,
      changedShare: 1,
      newestAt: NOW - ago,
      newest: afterCheck(priorYield(counted), { value, pages }, newestGrowth(Math.max(1e-6, days))),
      arrivals: counted,
    };
  });

const items = fc.record({
  itemId: fc.integer({ min: 1, max: 1e6 }),
  weight: upTo(1e6).map((weight) => weight + 1e-6),
  changes: upTo(1e5),
  days: upTo(1e4),
  checkedAt: spans.map((days) => NOW - days),
  suspect: fc.boolean(),
  factor: fc.constantFrom(1 / 30, 1, 30),
  lossFactor: fc.constantFrom(1 / 30, 1, 30),
});

const groups = fc
  .record({
    shop: shops,
    keyword: fc.option(keywords),
    members: fc.array(items, { minLength: 0, maxLength: 30 }),
    found: upTo(1e7),
  })
  .map(({ shop, keyword, members, found }) => ({
    found,
    keyword,
    sample: members.map((member) => ({ ...member, shop, keyword }) satisfies ItemStats),
  }));

const isSpan = (days: number) => days > 0 && !Number.isNaN(days);

describe("whatever the evidence", () => {
  it("values are finite and not negative, and moments lie neither before now nor at infinity", () => {
    fc.assert(
      fc.property(groups, upTo(1e6), ({ sample }, threshold) => {
        for (const item of sample) {
          const value = itemValue(item, NOW);
          expect(Number.isFinite(value) && value >= 0, `value ${value}`).toBe(true);
          const unchanged = unchangedSince(item, NOW);
          expect(unchanged >= 0 && unchanged <= 1, `unchanged ${unchanged}`).toBe(true);
          const { shape, span } = checkLaw(item);
          expect(Number.isFinite(shape) && shape >= 0, `shape ${shape}`).toBe(true);
          expect(Number.isFinite(span) && span > 0, `span ${span}`).toBe(true);
          const dueAt = itemDueAt(item, threshold, NOW);
          expect(Number.isFinite(dueAt) && dueAt >= NOW, `due ${dueAt - NOW}`).toBe(true);
        }
        const { value } = bestBatch(sample, NOW);
        expect(Number.isFinite(value) && value >= 0, `batch ${value}`).toBe(true);
        const dueAt = batchDueAt(sample, NOW, threshold);
        expect(Number.isFinite(dueAt) && dueAt >= NOW, `batch due ${dueAt - NOW}`).toBe(true);
      }),
    );
  });

  it("a batch of items that never change is due at the horizon, not at no time", () => {
    const shop = { shopId: "s", goneWeight: 1000, meanRate: 1e-11, lossRate: 0, bumpShare: 1 };
    const item = {
      itemId: 1,
      weight: 1e6,
      changes: 0,
      days: 0,
      checkedAt: NOW - 1,
      suspect: false,
    };
    const dueAt = batchDueAt(
      [{ ...item, factor: 1 / 30, lossFactor: 1, shop, keyword: null }],
      NOW,
      1e6,
    );
    expect(dueAt).toBeGreaterThan(NOW + 1);
  });

  it("the values of pages of newest changes are finite and not negative", () => {
    fc.assert(
      fc.property(groups, upTo(1e9), ({ sample, keyword }, itemThreshold) => {
        if (!keyword) return;
        const unread = expectUnread(keyword, { sample, itemThreshold }, NOW);
        const next = unread.gaps.flatMap(({ items: inGap, value }) => [inGap(1), value]);
        for (const value of [unread.recent(Infinity), unread.firstValue, ...next]) {
          expect(Number.isFinite(value) && value >= 0, `value ${value}`).toBe(true);
        }
      }),
    );
  });

  it("the expected gain of a check of newest ids is finite", () => {
    fc.assert(
      fc.property(keywords, spans, ({ newest, arrivals }, days) => {
        const { perCall, pages } = expectCheck(newest, newestGrowth(Math.max(1e-6, days)));
        for (const figure of [perCall, pages, ...Object.values(arrivalRates(arrivals))]) {
          expect(Number.isFinite(figure) && figure >= 0, `figure ${figure}`).toBe(true);
        }
        expect(pages).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it("a forecast holds shares and spans only", () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 1e4 }), ({ sample, found }, callsPerDay) => {
        const rules = { callsPerDay, fill: 0.5, products: found, shops: 1, maxAgeDays: 30 };
        const { freshness, promise, boundDays, threshold } = forecast(sample, rules);
        expect(freshness).toBeGreaterThanOrEqual(0);
        expect(freshness).toBeLessThanOrEqual(1 + 1e-9);
        for (const { hoursP95 } of promise) expect(isSpan(hoursP95), `${hoursP95} h`).toBe(true);
        expect(isSpan(boundDays) && Number.isFinite(threshold)).toBe(true);
        const target = callsForTarget(sample, rules, { minWeight: 1, hours: 24 });
        expect(target === null || target >= 1).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

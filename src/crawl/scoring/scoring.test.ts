import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchDueAt, itemDueAt } from "./due-times.ts";
import {
  batchSize,
  bestBatch,
  itemValue,
  unchangedSince,
  type ItemStats,
  type KeywordStats,
  type ShopStats,
} from "./scoring.ts";
import { evenWeek } from "./week-pattern.ts";
import { newReading } from "./reading.ts";

const NOW = 100;
const shop: ShopStats = {
  shopId: "s",
  meanRate: 0.2,
  lossRate: 0.001,
  bumpShare: 0.8,
  goneWeight: 1,
};
const keyword: KeywordStats = {
  keywordId: 1,
  products: 1000,
  reading: { ...newReading(NOW - 0.5), everyDays: 1 },
  pattern: evenWeek,
  absences: null,
  changedShare: 1,
  newestAt: NOW,
  newest: { value: 0, valueByLaw: 1, pages: 1, newsByLaw: 1 },
  arrivals: { items: 0, weight: 0, days: 1 },
};

const items = fc.record({
  itemId: fc.integer({ min: 1, max: 1e6 }),
  weight: fc.double({ min: 0.01, max: 50, noNaN: true }),
  changes: fc.double({ min: 0, max: 30, noNaN: true }),
  days: fc.double({ min: 0, max: 60, noNaN: true }),
  checkedAt: fc.double({ min: NOW - 60, max: NOW, noNaN: true }),
  suspect: fc.boolean(),
  factor: fc.double({ min: 1 / 30, max: 30, noNaN: true }),
  lossFactor: fc.double({ min: 1 / 30, max: 30, noNaN: true }),
  shop: fc.constant(shop),
  keyword: fc.constantFrom(null, keyword),
}) satisfies fc.Arbitrary<ItemStats>;

describe("the value of a check of one item", () => {
  it("scales with its weight, is never negative, and is 0 for what was just seen", () => {
    fc.assert(
      fc.property(items, (item) => {
        const value = itemValue(item, NOW);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(itemValue({ ...item, weight: 3 * item.weight }, NOW)).toBeCloseTo(3 * value, 6);
        expect(itemValue({ ...item, checkedAt: NOW }, NOW)).toBe(0);
      }),
    );
  });

  it("is less for what a feed has just looked after", () => {
    const item = {
      itemId: 1,
      weight: 1,
      changes: 3,
      days: 10,
      checkedAt: NOW - 10,
      suspect: false,
      factor: 1,
      lossFactor: 1,
      shop,
    };
    const unfed = itemValue({ ...item, keyword: null }, NOW);
    expect(itemValue({ ...item, keyword }, NOW)).toBeLessThan(0.6 * unfed);
  });

  it("reaches the threshold at the moment that is stored for it", () => {
    fc.assert(
      fc.property(items, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (any, threshold) => {
        const item = { ...any, keyword: null, suspect: false };
        const dueAt = itemDueAt(item, threshold);
        // A far moment is replaced by one at which it is computed anew.
        fc.pre(dueAt < item.checkedAt + 2.99);
        expect(itemValue(item, dueAt) / threshold).toBeCloseTo(1, 2);
      }),
    );
  });
});

describe("a refresh batch", () => {
  const catalogues = fc.array(items, { minLength: 1, maxLength: 150 });

  it("never exceeds 50 ids, and no other choice of 50 would be worth more", () => {
    fc.assert(
      fc.property(catalogues, (all) => {
        const batch = bestBatch(all, NOW);
        expect(batch.items.length).toBe(Math.min(batchSize, all.length));
        const best = all.map((item) => itemValue(item, NOW)).toSorted((a, b) => b - a);
        const sum = best.slice(0, batchSize).reduce((a, b) => a + b, 0);
        expect(batch.value).toBeCloseTo(sum, 6);
        const chosen = batch.items.reduce((total, item) => total + itemValue(item, NOW), 0);
        expect(chosen).toBeCloseTo(sum, 6);
      }),
    );
  });

  it("is due when it will be worth the threshold", () => {
    fc.assert(
      fc.property(catalogues, fc.double({ min: 0.5, max: 200, noNaN: true }), (all, threshold) => {
        const plain = all.map((item) => ({ ...item, keyword: null, suspect: false }));
        const dueAt = batchDueAt(plain, NOW, threshold);
        fc.pre(dueAt > NOW && dueAt < NOW + 3000);
        expect(bestBatch(plain, dueAt).value / threshold).toBeGreaterThan(0.9);
        expect(bestBatch(plain, dueAt).value / threshold).toBeLessThan(1.1);
      }),
    );
  });
});

it("once the first pages of an import were read, as many more of its changes are expected", () => {
  const burst = { from: NOW - 0.6, to: NOW - 0.55 };
  const unchanged = (pages: number, checkedAt: number) => {
    const next = { start: 50, pages, expected: 50, surplus: 40, newShare: 0 };
    const reading = { ...keyword.reading, gaps: [{ ...burst, next }] };
    return unchangedSince(
      {
        itemId: 1,
        weight: 1,
        changes: 0,
        days: 1e6,
        checkedAt,
        suspect: false,
        factor: 1,
        lossFactor: 1,
        shop,
        keyword: { ...keyword, reading },
      },
      NOW,
    );
  };
  expect(unchanged(1, NOW - 10)).toBeCloseTo(1 - 40 / keyword.products, 4);
  expect(unchanged(5, NOW - 10)).toBeCloseTo(1 - 200 / keyword.products, 4);
  expect(unchanged(1000, NOW - 10)).toBe(0);
  expect(unchanged(5, burst.to)).toBeCloseTo(1, 4);
});

it("a batch that is never worth the threshold is due at the horizon", () => {
  const item = { itemId: 1, weight: 0.074, changes: 18, days: 0, checkedAt: NOW - 60 };
  const never = [{ ...item, suspect: false, factor: 1 / 30, lossFactor: 1, shop, keyword: null }];
  expect(bestBatch(never, NOW + 3000).value).toBeLessThan(0.45);
  expect(batchDueAt(never, NOW, 0.5)).toBe(batchDueAt([], NOW, 0.5));
});

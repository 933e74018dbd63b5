import { describe, expect, it } from "vitest";
import { evenWeek } from "./week-pattern.ts";
import { unchangedChance } from "./freshness-value.ts";
import { newReading, type Gap } from "./reading.ts";
import { rateOf, type KeywordStats } from "./scoring.ts";
import { expectUnread } from "./unread-value.ts";
import { priorArrivals, priorYield } from "./yield.ts";

const NOW = 20_000;
const shop = { shopId: "s", goneWeight: 3, meanRate: 0.01, lossRate: 0.001, bumpShare: 0.95 };

/** What is unread with a gap of so many days, whose pages before have shown this share of new products and such a surplus. */
function unread(days: number, newShare: number, surplus = 25, changedShare = 1) {
  const gap: Gap = {
    from: NOW - 1,
    to: NOW - 1 + days,
    next: { start: 50, pages: 1, expected: 25, surplus, newShare },
  };
  const arrivals = priorArrivals(1000, 1);
  const keyword: KeywordStats = {
    keywordId: 1,
    products: 1000,
    reading: { ...newReading(NOW), gaps: [gap] },
    pattern: evenWeek,
    absences: null,
    changedShare,
    newestAt: NOW,
    newest: priorYield(arrivals),
    arrivals,
  };
  const sample = Array.from({ length: 20 }, (_, i) => ({
    itemId: i,
    weight: 1,
    factor: 1,
    lossFactor: 1,
    changes: 0,
    days: 0,
    checkedAt: NOW - 2,
    suspect: false,
    shop,
    keyword,
  }));
  return {
    sample,
    ...expectUnread(keyword, { sample, itemThreshold: 0.01 }, NOW + 0.3),
  };
}

/** The value of the next page of that gap. */
const nextPage = (days: number, newShare: number, surplus?: number) =>
  unread(days, newShare, surplus).gaps[0]?.value ?? 0;

it("a gap has the products that changed within it and not since", () => {
  const { sample, gaps } = unread(0.5, 0);
  const items = sample.reduce((sum, item) => {
    const { shape, span } = rateOf(item);
    const still = (days: number) => unchangedChance(shape, span / shop.bumpShare, days);
    return sum + (1000 / sample.length) * (still(0.3) - still(0.3 + 0.5));
  }, 0);
  expect(gaps[0]?.items(Infinity)).toBeCloseTo(items, 9);
});

it("products whose `modified` alone is new fill pages, which are worth less for it", () => {
  const [few, many] = [1, 0.05].map((share) => unread(0.5, 0, 0, share));
  const newest = few?.recent(Infinity) ?? 0;
  expect(many?.recent(Infinity)).toBeGreaterThan(10 * newest);
  expect(many?.recent(Infinity)).toBeGreaterThan(50);
  expect(many?.gaps[0]?.value).toBeLessThan(0.5 * (few?.gaps[0]?.value ?? 0));
});

describe("the next page of a gap", () => {
  it("is worth what it is expected to show, also where an import has changed all at one moment", () => {
    expect(nextPage(1e-5, 0)).toBeGreaterThan(0.8 * nextPage(0.5, 0));
    expect(nextPage(1e-5, 1) / nextPage(0.5, 1)).toBeCloseTo(1, 2);
  });

  it("is worth no more than what is still unread in it, if the pages before have shown nothing else", () => {
    const { gaps } = unread(0.5, 0, 0);
    const items = gaps[0]?.items(Infinity) ?? 0;
    expect(items).toBeLessThan(5);
    expect(nextPage(0.5, 0, 0) / nextPage(0.5, 0)).toBeCloseTo(items / 25, 5);
  });

  it("is worth more if the pages before have shown new products, which nothing else finds soon", () => {
    expect(nextPage(0.5, 1)).toBeGreaterThan(nextPage(0.5, 0));
    // 25 products for three weeks, in which some of them change.
    expect(nextPage(0.5, 1)).toBeGreaterThan(25 * 17);
    expect(nextPage(0.5, 1)).toBeLessThan(25 * 21);
  });
});

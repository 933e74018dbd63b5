import { describe, expect, it } from "vitest";
import { daysToPage, FULL_PAGE, pageValue, toScanCurves } from "./scan-values.ts";
import { priorYield } from "./yield.ts";

const NOW = 20_000;
const arrivals = { items: 1, weight: 1, days: 1 };
const keyword = {
  keywordId: 1,
  feedScannedAt: NOW,
  scanIntervalDays: 1,
  absences: null,
  newestAt: NOW,
  newest: priorYield(arrivals),
  arrivals,
};

/** Products that change so often a day, as far as the keyword shows their changes. */
function curvesOf(changesPerDay: number, found: number, bumpShare = 1, of = keyword) {
  const shop = { shopId: "s", meanRate: changesPerDay, lossRate: 0, goneWeight: 1, bumpShare };
  const sample = Array.from({ length: 40 }, (_, itemId) => ({
    itemId,
    weight: 1,
    factor: 1,
    changes: 1000 * changesPerDay,
    days: 1000,
    checkedAt: NOW,
    suspect: false,
    shop,
    keyword: of,
  }));
  return toScanCurves(of, sample, found);
}

describe("a page of a keyword's changes", () => {
  it("that shows all of them is worth what a check of all products is, and more later", () => {
    const curves = curvesOf(0.01, 1000);
    const [early, late] = [0.5, 2].map((days) => pageValue(curves, { days, unread: 10 * days }));
    // 10 changes a day, seen after half of the days on average.
    expect(early).toBeCloseTo((10 * 0.5 * 0.5) / 2, 0);
    expect(late).toBeGreaterThan(10 * (early ?? 0));
  });

  it("that is full is worth the days for which its products stay as they are, however many wait", () => {
    const curves = curvesOf(0.1, 20_000);
    const [some, more] = [100, 5000].map((unread) => pageValue(curves, { days: 1, unread }));
    expect(some).toBe(more);
    // A product that changes each tenth day is as it was shown for 7.5 of the next 14 days.
    expect(some).toBeCloseTo(FULL_PAGE * 7.5, -1);
  });

  it("is worth less where products change again soon", () => {
    const page = (changesPerDay: number) =>
      pageValue(curvesOf(changesPerDay, 20_000), { days: 1, unread: 1000 });
    expect(page(2)).toBeLessThan(page(0.2) / 5);
  });

  it("is worth a call the sooner the less a call costs", () => {
    const curves = curvesOf(0.01, 1000);
    const days = [100, 10, 1, 0.1].map((price) => daysToPage(curves, price));
    expect(days).toEqual(days.toSorted((a, b) => b - a));
    expect(days.at(-1)).toBeLessThan(1);
  });

  it("is never worth one where the keyword shows no changes", () => {
    const none = { ...keyword, arrivals: { items: 0, weight: 0, days: 1 } };
    expect(daysToPage(toScanCurves(none, [], 0), 0)).toBe(Infinity);
    expect(daysToPage(curvesOf(0.01, 100, 0, none), 5)).toBe(Infinity);
  });
});

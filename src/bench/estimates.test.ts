import { describe, expect, it } from "vitest";
import {
  learnCheck,
  lossRate,
  overallMean,
  shopMean,
  type Evidence,
  type Losses,
} from "../crawl/scoring/rate-estimate.ts";
import { evenWeek } from "../crawl/scoring/week-pattern.ts";
import { newReading } from "../crawl/scoring/reading.ts";
import { noScannedDays, toScannedDays, toUnseen } from "../crawl/learning/scanned-days.ts";
import type { ItemStats } from "../crawl/scoring/scoring.ts";
import {
  fitFactors,
  rateFactor,
  type Factors,
  type TraitEvidence,
} from "../crawl/scoring/traits.ts";
import { afterArrivals, arrivalRates, priorArrivals, priorYield } from "../crawl/scoring/yield.ts";
import { must } from "../lib/must.ts";
import { createRandom, type Random } from "../lib/random.ts";

/** Sorted moments at this rate, over so many days. */
function momentsOf(random: Random, rate: number, days: number): number[] {
  const moments: number[] = [];
  for (let at = random.exponential(rate); at < days; at += random.exponential(rate)) {
    moments.push(at);
  }
  return moments;
}

/** The learned means of shops that change half of their products at once, every so many days. */
function meansOf(everyDays: readonly number[], weeks: number): number[] {
  const random = createRandom(9);
  const sums = everyDays.map((every) => {
    const first = every * random.next();
    const sum: Evidence = { changes: 0, days: 0 };
    for (let item = 0; item < 25; item += 1) {
      let evidence: Evidence = { changes: 0, days: 0 };
      for (let at = 0; at < 7 * weeks; at += 3.5) {
        const times = Math.floor((at + 3.5 - first) / every) - Math.floor((at - first) / every);
        const sight = { changed: random.next() > 0.5 ** times, quietDays: null };
        const before = { evidence, checkedAt: at, readDays: 0 };
        ({ evidence } = learnCheck(before, sight, 0.1, at + 3.5));
      }
      sum.changes += evidence.changes;
      sum.days += evidence.days;
    }
    return sum;
  });
  const all = sums.reduce((a, b) => ({ changes: a.changes + b.changes, days: a.days + b.days }));
  return sums.map((sum) => shopMean(sum, overallMean(all)));
}

const newShop = () => ({
  shopId: "s",
  meanRate: 0.1,
  lossRate: 0,
  bumpShare: 1,
  goneWeight: 1,
});

const keywordReadAt = (day: number) => ({
  keywordId: 1,
  products: 1000,
  reading: newReading(day),
  pattern: evenWeek,
  absences: null,
  changedShare: 1,
  newestAt: 0,
  newest: priorYield(priorArrivals(0, 1)),
  arrivals: priorArrivals(0, 1),
});

describe("what the planner learns comes near the truth of its world", () => {
  it.each([0.2, 4, 90])("arrivals at %s a day, whatever was expected before", (rate) => {
    const random = createRandom(5);
    const days = 200;
    const moments = momentsOf(random, rate, days);
    // A catalogue of 14,000 was expected to grow by 70 a day.
    let arrivals = priorArrivals(14_000, 1);
    for (let at = 0; at < days;) {
      const next = at + 0.3 + 3 * random.next();
      const items = moments.filter((moment) => moment > at && moment <= next).length;
      arrivals = afterArrivals(arrivals, { items, weight: 2 * items, days: next - at });
      at = next;
    }
    const known = arrivalRates(arrivals);
    // Arrivals fade over thirty days.
    const error = 3.5 / Math.sqrt(30 * rate);
    expect(Math.abs(known.items / rate - 1)).toBeLessThan(error + 0.03);
    expect(known.weight).toBeCloseTo(2 * known.items, 1);
  });

  it.each([0.0005, 0.02, 0.3])("losses at %s a day", (rate) => {
    const random = createRandom(6);
    const sum: Losses = { losses: 0, lossDays: 0 };
    for (let item = 0; item < 4000; item += 1) {
      const diesAt = random.exponential(rate);
      for (let at = 0; at < 30;) {
        const next = at + 0.2 + 2 * random.next();
        const isGone = diesAt <= next;
        // The moment of the deletion is unknown: half the time counts.
        sum.lossDays += isGone ? (next - at) / 2 : next - at;
        if (isGone) {
          sum.losses += 1;
          break;
        }
        at = next;
      }
    }
    expect(lossRate(sum, sum) / rate).toBeCloseTo(1, 1);
  });

  it.each([
    { rate: 0.02, every: 5 },
    { rate: 0.3, every: 1 },
    { rate: 2, every: 1 },
  ])("a change rate of $rate a day, checked every $every days", ({ rate, every }) => {
    const random = createRandom(7);
    const sum: Evidence = { changes: 0, days: 0 };
    for (let item = 0; item < 400; item += 1) {
      let evidence: Evidence = { changes: 0, days: 0 };
      for (let at = 0; at < 90; at += every) {
        const changed = random.exponential(rate) < every;
        const before = { evidence, checkedAt: at, readDays: 0 };
        const mean = shopMean(sum, overallMean(sum));
        ({ evidence } = learnCheck(before, { changed, quietDays: null }, mean, at + every));
      }
      sum.changes += evidence.changes;
      sum.days += evidence.days;
    }
    expect(shopMean(sum, overallMean(sum)) / rate).toBeGreaterThan(0.85);
    expect(shopMean(sum, overallMean(sum)) / rate).toBeLessThan(1.15);
  });

  it("change rates of shops whose products change together: near their mean at first, and apart where they differ", () => {
    const alike = Array.from({ length: 60 }, () => 7);
    const deviation = (weeks: number) => {
      const logs = meansOf(alike, weeks).map(Math.log);
      const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
      return Math.sqrt(logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / logs.length);
    };
    expect(deviation(0.5)).toBeLessThan(0.6);
    expect(deviation(1.5)).toBeLessThan(0.3);
    const [often = 0, seldom = 0] = meansOf([2, 30, ...alike], 8);
    expect(often / (0.5 / 2)).toBeCloseTo(1, 0);
    expect(seldom / (0.5 / 30)).toBeLessThan(2);
  });

  it("a change rate of a shop whose feed is scanned, so that what does not change is never checked", () => {
    const random = createRandom(8);
    const rate = 0.03;
    const days = 20;
    const shop = newShop();
    const keyword = keywordReadAt(days);
    const sum: Evidence = { changes: 0, days: 0 };
    const items = Array.from({ length: 2000 }, (_, itemId): ItemStats => {
      let evidence: Evidence = { changes: 0, days: 0 };
      let checkedAt = 0;
      for (let day = 1; day <= days; day += 1) {
        const quiet = random.exponential(rate);
        if (quiet >= 1) continue;
        const before = { evidence, checkedAt, readDays: day - 1 - checkedAt };
        const sight = { changed: true, quietDays: before.readDays + quiet };
        ({ evidence } = learnCheck(before, sight, shop.meanRate, day));
        checkedAt = day;
      }
      sum.changes += evidence.changes;
      sum.days += evidence.days;
      return {
        itemId,
        weight: 1,
        factor: 1,
        lossFactor: 1,
        ...evidence,
        checkedAt,
        suspect: false,
        shop,
        keyword,
      };
    });
    const scanned = toScannedDays(items.slice(0, 500), 4, { of: new Map(), factors: new Map() });
    expect(shopMean(sum, 0.1) / rate).toBeGreaterThan(2);
    const known = { ...sum, days: sum.days + (scanned.byShop.s ?? 0) };
    expect(shopMean(known, 0.1) / rate).toBeCloseTo(1, 0);
  });

  it("what traits do to the change rate, where what does not change is never checked", () => {
    const random = createRandom(9);
    const rates = { "sold out": 0.01, "in stock 1": 0.2 };
    const keyword = keywordReadAt(0);
    const shop = newShop();
    const traits = Object.keys(rates);
    const items = Array.from({ length: 1000 }, (_, itemId): ItemStats => {
      const none = { changes: 0, days: 0, factor: 1, lossFactor: 1, checkedAt: 0 };
      return { itemId, weight: 1, ...none, suspect: false, shop, keyword };
    });
    const of = new Map(
      items.map(({ itemId }) => [itemId, traits.slice(itemId % 2, (itemId % 2) + 1)]),
    );
    const counts = new Map(traits.map((trait) => [trait, { seen: 0, expected: 0 }]));
    let factors: Factors = new Map();
    const sum: Evidence = { changes: 0, days: 0 };
    let scanned = noScannedDays;
    for (let day = 1; day <= 60; day += 1) {
      for (const item of items) {
        const own = of.get(item.itemId) ?? [];
        const quiet = random.exponential(item.itemId % 2 === 0 ? 0.01 : 0.2);
        if (quiet >= 1) continue;
        const before = {
          evidence: item,
          checkedAt: item.checkedAt,
          readDays: day - 1 - item.checkedAt,
        };
        const sight = { changed: true, quietDays: before.readDays + quiet };
        const { evidence, seen } = learnCheck(before, sight, shop.meanRate * item.factor, day);
        for (const trait of own) {
          const counted = must(counts.get(trait), trait);
          counted.seen += seen.changes;
          counted.expected += shop.meanRate * seen.days;
        }
        const factor = rateFactor(own, factors);
        const old = { changes: item.changes, days: item.days * item.factor };
        Object.assign(item, { ...evidence, factor, checkedAt: day });
        sum.changes += item.changes - old.changes;
        sum.days += item.days * factor - old.days;
      }
      keyword.reading = newReading(day);
      scanned = toScannedDays(items, 1, { of, factors });
      const rows = [...counts].map(([trait, counted]): TraitEvidence => ({
        traits: [trait],
        ...counted,
      }));
      factors = fitFactors([...rows, ...toUnseen(items, 1, of)]);
      shop.meanRate = shopMean({ ...sum, days: sum.days + scanned.all }, 0.1);
    }
    for (const [trait, rate] of Object.entries(rates)) {
      const estimate = shop.meanRate * rateFactor([trait], factors);
      expect(estimate / rate).toBeGreaterThan(0.7);
      expect(estimate / rate).toBeLessThan(1.4);
    }
  });
});

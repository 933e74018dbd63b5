import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Absences } from "../../db/schema.ts";
import { createRandom, type Random } from "../../lib/random.ts";
import { afterProofs, countMissing, lossRateOfUnchecked, type Count } from "./absences.ts";

const count = (now: Partial<Count>): Count => ({
  found: 100,
  deleted: 0,
  own: 100,
  productDays: 100,
  read: 1,
  at: 0,
  ...now,
});
const start = countMissing(null, count({}));

describe("what is missing of a keyword", () => {
  it("is what it finds less, with the new products that its pages have shown", () => {
    expect(start.missing).toBe(0);
    const later = countMissing({ ...start, born: 3 }, count({ found: 101, at: 1 }));
    expect(later.missing).toBeCloseTo(2, 0);
  });

  it("is nothing any more once the deletions are proven", () => {
    const missing = countMissing(start, count({ found: 96, own: 96, at: 0.1 }));
    const now = count({ found: 96, own: 96, deleted: 4, productDays: 20, at: 0.2 });
    expect(missing.missing).toBeGreaterThan(3.9);
    expect(countMissing(missing, now).missing).toBeCloseTo(0, 1);
  });

  it("is not what pages were late to show: products that were there at the last count", () => {
    const later = countMissing(start, count({ found: 98, own: 4000, at: 0.1 }));
    expect(later.missing).toBeCloseTo(2, 1);
  });

  it("is of its own in proportion, if other keywords show a part of what it finds", () => {
    const shared = countMissing(null, count({ found: 1000, own: 100 }));
    const later = countMissing(shared, count({ found: 980, own: 100, at: 0.1 }));
    expect(later.missing).toBeCloseTo(2, 1);
  });

  it("is less once products were checked of which nobody knows how many are its own", () => {
    const shared = countMissing(null, count({ found: 1000, own: 10, productDays: 50 }));
    const first = countMissing(shared, count({ found: 600, own: 10, productDays: 50 }));
    const now = count({ found: 600, own: 10, productDays: 5, at: 0.1, deleted: 1 });
    expect(first.missing).toBeCloseTo(4, 1);
    expect(countMissing(first, now).missing).toBeLessThan(0.5);
  });

  it("is none of those proven deleted before a count showed it, however old the count before is", () => {
    const now = count({ found: 95, own: 95, deleted: 5, at: 20 });
    expect(countMissing(start, now).missing).toBeCloseTo(0, 5);
  });

  it("is nothing any more once it is found again, and never more than its own", () => {
    const broken = countMissing(start, count({ found: 0, at: 0.1 }));
    expect(broken.missing).toBe(100);
    expect(countMissing(broken, count({ at: 0.2 })).missing).toBeCloseTo(0, 0);
    const more = countMissing(start, count({ found: 9000, at: 0.1 }));
    expect(countMissing(more, count({ at: 0.2 })).missing).toBeLessThanOrEqual(100);
  });

  it("is forgotten after some months if no check finds it", () => {
    let absences = start;
    for (let at = 1; at < 200; at += 1)
      absences = countMissing(absences, count({ found: 97, own: 97, at }));
    expect(absences.missing).toBeLessThan(0.1);
  });

  it("is none of what was checked after the last of it was found missing", () => {
    const first = countMissing(start, count({ found: 98, own: 98, at: 1 }));
    const same = countMissing(first, count({ found: 98, own: 98, at: 2 }));
    const more = countMissing(same, count({ found: 97, own: 97, at: 3 }));
    expect([first.since, same.since, more.since]).toEqual([1, 1, 3]);
    // All three are proven deleted, and two others are missing since.
    const others = countMissing(more, count({ found: 95, own: 95, deleted: 3, at: 4 }));
    expect(others.missing).toBeCloseTo(2, 0);
    expect(others.since).toBe(4);
    const proven = countMissing(others, count({ found: 95, own: 95, deleted: 5, at: 5 }));
    expect(proven.since).toBe(4);
  });

  it("is less by those proven deleted since it was counted, and never less than nothing", () => {
    const absences = countMissing(start, count({ found: 97, own: 97, at: 1 }));
    expect(afterProofs(absences, 2).missing).toBeCloseTo(absences.missing - 2);
    expect(afterProofs(absences, 9).missing).toBe(0);
    expect(afterProofs(absences, 0)).toEqual(absences);
  });

  const of = (absences: Partial<Absences>): Absences => ({ ...start, ...absences });

  it("makes deletions more likely where more is missing than expected, and less where nothing is", () => {
    const chance = (missing: number, lossRate: number) =>
      lossRateOfUnchecked(of({ missing, productDays: 1000 }), lossRate);
    expect(chance(5, 0.001)).toBeGreaterThan(0.003);
    expect(chance(0, 0.001)).toBeLessThan(0.0003);
    // Losses were never seen, so the rates alone would not let one expect any.
    expect(chance(8, 1e-7)).toBeGreaterThan(0.005);
  });

  it("says little against the loss rates where hardly any product is its own", () => {
    const now = of({ missing: 0, productDays: 1000, trust: 0.02 });
    expect(lossRateOfUnchecked(now, 0.001)).toBeGreaterThan(0.0008);
  });

  it("lets as many be expected as are missing, also once the loss rate is learned", () => {
    for (const lossRate of [0, 1e-12, 1e-6, 1e-4, 1e-3, 1e-2]) {
      const now = of({ missing: 78, productDays: 55_000 });
      const deleted = 55_000 * lossRateOfUnchecked(now, lossRate);
      expect(deleted).toBeGreaterThan(50);
      expect(deleted).toBeLessThan(90);
    }
  });

  it.each([
    { title: "alone and read to the end", share: 1, read: 1, off: 0.1 },
    { title: "alone and read in part", share: 1, read: 0.4, off: 0.3 },
    { title: "mostly of others", share: 0.3, read: 1, off: 0.3 },
  ])(
    "is about the number of deleted products that nobody has noticed: $title",
    ({ share, read, off }) => {
      const { estimated, real } = missingOverTime({ share, read }, createRandom(7));
      expect(Math.abs(estimated / real - 1)).toBeLessThan(off);
    },
  );

  it("is finite and not negative, whatever is counted", () => {
    const many = fc.double({ min: 0, max: 1e7, noNaN: true });
    const counts = fc.array(fc.tuple(many, many, many, many, many), { minLength: 1 });
    fc.assert(
      fc.property(counts, (all) => {
        let absences: Absences | null = null;
        for (const [at, [found, deleted, own, productDays, born]] of all.entries()) {
          const old: Absences | null = absences && { ...absences, born };
          absences = countMissing(old, { found, deleted, own, productDays, read: own / 1e7, at });
          expect(absences.missing).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(lossRateOfUnchecked(absences, 1e-3))).toBe(true);
        }
      }),
    );
  });
});

/**
 * Of a keyword's products 2% are new and 2% are deleted a day, and a refresh checks a fifth of its own; the means over
 * 200 days of how many are missing.
 */
function missingOverTime(
  { share, read }: { share: number; read: number },
  random: Random,
): { estimated: number; real: number } {
  const products = Array.from({ length: 500 }, () => ({
    isOwn: random.next() < share,
    checkedAt: 0,
    isGone: false,
  }));
  let deleted = 0;
  let absences: Absences | null = null;
  const sum = { estimated: 0, real: 0 };
  for (let at = 1; at <= 230; at += 1) {
    let born = 0;
    for (const product of products) if (random.next() < 0.02) product.isGone = true;
    for (let i = 0; i < 10; i += 1) {
      if (random.next() < read) born += 1;
      products.push({ isOwn: random.next() < share, checkedAt: at, isGone: false });
    }
    for (const product of products) if (random.next() < 0.2) product.checkedAt = at;
    const lost = products.filter(
      ({ isGone, checkedAt, isOwn }) => isGone && (!isOwn || checkedAt === at),
    );
    deleted += lost.filter(({ isOwn }) => isOwn).length;
    for (const product of lost) products.splice(products.indexOf(product), 1);
    const own = products.filter(({ isOwn }) => isOwn);
    const gone = own.filter(({ isGone }) => isGone).length;
    absences = countMissing(absences && { ...absences, born: born / read }, {
      found: products.filter(({ isGone }) => !isGone).length,
      deleted,
      own: own.length,
      productDays: own.reduce((days, { checkedAt }) => days + at - checkedAt, 0),
      read,
      at,
    });
    if (at > 30) {
      sum.estimated += absences.missing;
      sum.real += gone;
    }
  }
  return sum;
}

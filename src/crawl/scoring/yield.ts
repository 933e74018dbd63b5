import type { Arrivals, Bumped, Scans, Yield } from "../../db/schema.ts";
import { batchSize } from "./scoring.ts";

/** Earlier pages count for so much less with each page. */
export const shownKeep = 0.8;

const noBumped: Bumped = { all: 0, changed: 0 };

/** Adds what a page of the newest changes showed of known products whose `modified` was new. */
export function addBumped({ bumped }: Scans, page: Bumped): Bumped {
  const { all, changed } = bumped ?? noBumped;
  return { all: all * shownKeep + page.all, changed: changed * shownKeep + page.changed };
}

/** Which share of these has changed; 1 if most have: the others have probably changed and changed back. */
export function changedShare({ bumped }: { bumped?: Bumped | null }): number {
  const { all, changed } = bumped ?? noBumped;
  const share = (changed + 1) / (all + 1);
  return share < 0.5 ? share : 1;
}

/** How the value and the number of new items grow with the days since the last check, up to a factor. */
export interface Growth {
  value: number;
  news: number;
}

/** Of new items, which arrive at a constant rate. */
export function newestGrowth(days: number): Growth {
  return { value: (days * days) / 2, news: days };
}

/**
 * Until pages have shown more: new products a day as a share of those that a keyword finds, with the
 * weight of so many days. They come in bursts, so a few days without any say little.
 */
const newShare = 0.005;
const newShareDays = 5;
/** Arrivals fade with this time constant, in days. */
const arrivalsMemoryDays = 30;

/** For a keyword that finds so many products, before any scan. `meanWeight`: of a product. */
export function priorArrivals(found: number, meanWeight: number): Arrivals {
  const items = found * newShare * newShareDays;
  return { items, weight: items * meanWeight, days: newShareDays };
}

/** A page showed these new products; a scan that reached known items covers `days` more. */
export function afterArrivals(old: Arrivals, page: Arrivals): Arrivals {
  const keep = Math.exp(-page.days / arrivalsMemoryDays);
  return {
    items: old.items * keep + page.items,
    weight: old.weight * keep + page.weight,
    days: old.days * keep + page.days,
  };
}

/** New items a day and their weight. */
export function arrivalRates({ items, weight, days }: Arrivals): {
  items: number;
  weight: number;
} {
  return { items: items / days, weight: weight / days };
}

/** Of a new product. */
export function meanWeightOf({ items, weight }: { items: number; weight: number }): number {
  return weight / Math.max(1e-9, items);
}

/**
 * Before the first check of its newest ids: the yield that its arrivals promise, with the weight of a
 * tenth of a check.
 */
export function priorYield(arrivals: Arrivals): Yield {
  const { items, weight } = arrivalRates(arrivals);
  return { value: 0.1 * weight, valueByLaw: 0.1, pages: (0.1 * items) / batchSize, newsByLaw: 0.1 };
}

const yieldKeep = 0.7;

/** `check.value`: changed items count by `changeValue`, new ones by weight times days missed. */
export function afterCheck(
  old: Yield,
  check: { value: number; pages: number },
  growth: Growth,
): Yield {
  return {
    value: old.value * yieldKeep + check.value,
    valueByLaw: old.valueByLaw * yieldKeep + growth.value,
    pages: old.pages * yieldKeep + check.pages,
    newsByLaw: old.newsByLaw * yieldKeep + growth.news,
  };
}

/** The expected gain of the next check per call, and the pages until it reaches known items. */
export function expectCheck(past: Yield, growth: Growth): { perCall: number; pages: number } {
  const pages = Math.max(1, (past.pages / past.newsByLaw) * growth.news);
  return { perCall: ((past.value / past.valueByLaw) * growth.value) / pages, pages };
}

/**
 * Whether a check of newest ids that has not reached known items goes on. It ends if it takes more
 * pages than expected and has not been worth them.
 */
export function checksOn(
  check: { value: number; pages: number },
  expected: { perCall: number; pages: number },
  threshold: number,
): boolean {
  if (check.value / check.pages >= giveUpBelow * threshold) return true;
  return expected.perCall >= giveUpBelow * threshold && check.pages < 1.3 * expected.pages + 1;
}

/** A check whose value is below this share of the threshold ends. */
const giveUpBelow = 0.5;

/** Every keyword's newest ids are checked at least this often, in days. */
export const newestMaxAgeDays = 30;

/**
 * Every keyword's newest changes are checked at least this often, in days, even if scans are not worth it, so that new
 * activity there is found: as often as 5% of the day's calls allow, or every month if 20% of them do.
 */
export function keywordMaxAgeDays(keywords: number, callsPerDay: number): number {
  const share = (part: number) => keywords / (part * callsPerDay);
  return Math.max(1, share(0.2), Math.min(30, share(0.05)));
}

/** How many of what a keyword finds are its own: no other keyword has shown them before. */
export function countOwn({ shown }: Scans, found: number): number {
  return shown && shown.all > 0 ? (found * shown.own) / shown.all : found;
}

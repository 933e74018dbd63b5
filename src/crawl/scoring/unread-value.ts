import { activeDays } from "./week-pattern.ts";
import {
  foundLaterDays,
  checkValue,
  daysUntilValue,
  findValue,
  unchangedChance,
  unchangedDays,
} from "./freshness-value.ts";
import { unreadDays, type Gap } from "./reading.ts";
import { batchSize, rateOf, type ItemStats, type KeywordStats } from "./scoring.ts";
import { arrivalRates, meanWeightOf } from "./yield.ts";

/**
 * What pages of a keyword's newest changes are worth. A page shows the items that changed last, so an unread one is found
 * with certainty, where a refresh finds it by chance; an item that was refreshed since is not unread.
 */
export interface Unread {
  /** Items expected to have come to the top of the list in the latest so many active days since its latest first page. */
  recent: (days: number) => number;
  /** The value of the first page. */
  firstValue: number;
  /** For each gap that has a next page: items expected in its latest so many active days, and the value of that page. */
  gaps: readonly { gap: Gap; items: (days: number) => number; value: number }[];
}

/** A product, or several like it, that may have changed in a part of the list. */
interface Changeable {
  /** How many of the keyword's products it stands for. */
  count: number;
  weight: number;
  shape: number;
  /** Of its changes that the list shows, in active days. */
  span: number;
  /** Days since that part in which it has not changed, the chance of that, and days of that part in which it may have. */
  quiet: number;
  quietChance: number;
  changing: number;
  /** If no page shows a change, it is found so much later. */
  later: number;
}

/**
 * `sample`: some of the products that this keyword shows before others do; `itemThreshold`: the value at which an item alone
 * is refreshed.
 */
export function expectUnread(
  keyword: KeywordStats,
  { sample, itemThreshold }: { sample: readonly ItemStats[]; itemThreshold: number },
  at: number,
): Unread {
  const { reading, pattern, changedShare } = keyword;
  const count = sample.length === 0 ? 0 : Math.max(keyword.products, sample.length) / sample.length;
  const listedAgain = daysUntilListedAgain(changedShare, sample);
  const products = sample.map((item) => {
    const { shape, span } = rateOf(item);
    const { recent } = unreadDays(reading, pattern, item.checkedAt, at);
    const share = Math.max(1e-6, item.shop.bumpShare);
    const checked = daysUntilValue(shape, span, itemThreshold / item.weight);
    return {
      item,
      recent,
      like: {
        count,
        weight: item.weight,
        shape,
        span: span / share,
        later: Math.min(foundLaterDays, checked, listedAgain),
      },
    };
  });
  const arrivals = arrivalRates(keyword.arrivals);
  const newStays = daysOfNew(sample, Math.min(foundLaterDays, listedAgain));
  const newDays = activeDays(pattern, Math.max(keyword.newestAt, reading.until), at);
  const atTop: Part = {
    changedShare,
    products: products.map(({ like, recent }) => ({
      quiet: 0,
      quietChance: 1,
      changing: recent,
      ...like,
    })),
    arrivals,
    newStays,
    newDays,
  };
  const gaps = reading.gaps
    .filter((gap) => gap.next !== null)
    .map((gap) => {
      const inGap: Part = {
        changedShare,
        products: products.map(({ item, recent, like }) => ({
          quiet: recent,
          quietChance: unchangedChance(like.shape, like.span, recent),
          changing: activeDays(pattern, Math.max(gap.from, item.checkedAt), gap.to),
          ...like,
        })),
        arrivals,
        newStays,
        newDays: activeDays(pattern, Math.max(keyword.newestAt, gap.from), gap.to),
      };
      const items = (days: number) => countItems(inGap, days);
      return { gap, items, value: nextPageValue(gap, inGap) };
    });
  const recent = (days: number) => countItems(atTop, days);
  return { recent, firstValue: firstPageValue(atTop, recent(Infinity)), gaps };
}

/** After so many days a product comes to the top although it has not changed again; Infinity: never. */
function daysUntilListedAgain(changedShare: number, sample: readonly ItemStats[]): number {
  const changes = sample.reduce((sum, item) => {
    const { shape, span } = rateOf(item);
    return sum + (item.shop.bumpShare * shape) / span;
  }, 0);
  const others = (changes / changedShare) * (1 - changedShare);
  return others > 0 ? sample.length / others : Infinity;
}

/**
 * Rates tell how many unread items the next page of a gap shows and what one is worth; the pages of it before, how many it
 * shows besides (rates may let nearly none be expected where an import has changed many at one moment), and how many of
 * them are new.
 */
function nextPageValue({ next }: Gap, inGap: Part): number {
  if (next === null) return 0;
  const known: Part = { ...inGap, newDays: 0 };
  const items = countItems(known, Infinity);
  const changed =
    foundValue(known, fullPageDays(known, items)) / Math.max(1e-9, Math.min(batchSize, items));
  const created = meanWeightOf(inGap.arrivals) * inGap.newStays;
  const shown = Math.min(next.expected, countItems(inGap, Infinity) + next.surplus);
  return shown * (next.newShare * created + (1 - next.newShare) * changed);
}

/** For how many days a new product is expected to stay as it is, like those of the keyword, until it would be found later. */
export function daysOfNew(sample: readonly ItemStats[], later = foundLaterDays): number {
  if (sample.length === 0) return later;
  const days = sample.map((item) => {
    const { shape, span } = rateOf(item);
    return unchangedDays(shape, span, later);
  });
  return days.reduce((sum, one) => sum + one, 0) / days.length;
}

/** A part of the list that was not read: its top, or a gap. */
interface Part {
  /** See `KeywordStats`. */
  changedShare: number;
  products: readonly Changeable[];
  arrivals: { items: number; weight: number };
  /** For how many days a new product is expected to stay as it is; and in how many of the part it may have come. */
  newStays: number;
  newDays: number;
}

/** The unread items of the latest `days` of the part. */
function countItems({ changedShare, products, arrivals, newDays }: Part, days: number): number {
  let changed = 0;
  for (const { count, shape, span, quiet, quietChance, changing } of products) {
    const before = quiet + Math.min(days, changing);
    changed += count * (quietChance - unchangedChance(shape, span, before));
  }
  return changed / changedShare + arrivals.items * Math.min(days, newDays);
}

/** The value of being shown the unread items of the latest `days` of the part. */
function foundValue({ products, arrivals, newStays, newDays }: Part, days: number): number {
  let value = arrivals.weight * Math.min(days, newDays) * newStays;
  for (const { count, weight, shape, span, quiet, changing, later } of products) {
    const within = Math.min(days, changing);
    value += count * weight * findValue({ shape, days: span, quiet, changing: within, later });
  }
  return value;
}

/** The latest days of the part whose unread items fill a page; Infinity: all of them do not. */
function fullPageDays(part: Part, items: number): number {
  if (items <= batchSize) return Infinity;
  let low = 0;
  let high = Math.max(part.newDays, ...part.products.map(({ changing }) => changing));
  for (let step = 0; step < 12; step += 1) {
    const days = (low + high) / 2;
    if (countItems(part, days) > batchSize) high = days;
    else low = days;
  }
  return high;
}

/** The standard normal distribution function, to about 1%. */
const normalShare = (z: number) => 1 / (1 + Math.exp(-1.702 * z));

/**
 * Until the first page is full of unread items it may be worth waiting for more of them; a full page can only leave a
 * gap, and is worth all that it shows.
 */
function firstPageValue(part: Part, items: number): number {
  if (!(items > 1e-9)) return 0;
  const { products, arrivals, newDays } = part;
  let waiting = (arrivals.weight * newDays ** 2) / 2;
  for (const { count, weight, shape, span, changing } of products) {
    waiting += count * weight * checkValue(shape, span, changing);
  }
  waiting *= Math.min(1, batchSize / items);
  const isFull = normalShare((items - batchSize) / Math.max(1, Math.sqrt(items)));
  const whenFull = Math.max(foundValue(part, fullPageDays(part, items)), waiting);
  return (1 - isFull) * waiting + isFull * whenFull;
}

import { priorShape } from "./rate-estimate.ts";
import type { Absences, Arrivals, Yield } from "../../db/schema.ts";
import { lossRateOfUnchecked } from "./absences.ts";
import { activeDays, type WeekPattern } from "./week-pattern.ts";
import { foundLaterDays, checkValue, findValue, unchangedChance } from "./freshness-value.ts";
import { readDays, unreadDays, type Reading } from "./reading.ts";

/**
 * Values of calls. Every call costs the same, so each is worth what it gains, in weight-days of
 * freshness: a refresh batch, a scan of the newest changes, a page of the top sellers, a check of the
 * newest ids. The best is made next. All functions are pure: the caller reads a handful of due
 * subjects, has them valued here, and stores their new due times. All moments are days since the epoch,
 * all spans days, all rates per day.
 */

/** Ids a refresh may ask for and items a page shows (specification section 8). */
export const batchSize = 50;
/** Items read of one shop; a smaller shop is valued whole. */
export const shopRead = 120;

export interface ShopStats {
  shopId: string;
  /** Expected changes a day of a product that nothing is known about (`shopMean`). */
  meanRate: number;
  /** Chance a day that a product is deleted of which nothing is known. */
  lossRate: number;
  /** A deleted product that is still shown costs so many times an old price. */
  goneWeight: number;
  /** Share of changes that bump `modified` (`bumpShare`). */
  bumpShare: number;
}

export interface KeywordStats {
  keywordId: number;
  /** That it finds and no other keyword has shown before. */
  products: number;
  /** What has been read of its newest changes. */
  reading: Reading;
  /** When during a week its products change. */
  pattern: WeekPattern;
  absences: Absences | null;
  /** Of the known products that its list shows with a new `modified`, the share that has changed (`changedShare`). */
  changedShare: number;
  /** Until when new products were looked for, among its newest ids or its newest changes. */
  newestAt: number;
  newest: Yield;
  arrivals: Arrivals;
}

export interface ItemStats {
  itemId: number;
  weight: number;
  /** Multiplies the mean rate of its shop (`rateFactor`). */
  factor: number;
  /** Multiplies the loss rate of its shop. */
  lossFactor: number;
  /** Evidence for its change rate. */
  changes: number;
  days: number;
  /** When an answer last showed the item. */
  checkedAt: number;
  /** A page that should have shown it did not, or most of its shop was found deleted since it was checked. */
  suspect: boolean;
  shop: ShopStats;
  /** The keyword whose feed shows its changes; null: no feed does. */
  keyword: KeywordStats | null;
}

/** Chance that a suspect is deleted. */
const suspectDeleted = 0.6;

/**
 * Active days since the item's last check in which reading its keyword's changes would have shown one, and did not.
 * Added when the item is read, because a page cannot write to every item that it did not show.
 */
export function scannedDays({ keyword, checkedAt, shop }: ItemStats): number {
  return keyword === null
    ? 0
    : shop.bumpShare * readDays(keyword.reading, keyword.pattern, checkedAt);
}

/** Its estimated change rate: Gamma(shape, span), mean `shape / span` changes a day. */
export function rateOf(item: ItemStats): { shape: number; span: number } {
  return {
    shape: priorShape + item.changes,
    span: priorShape / (item.shop.meanRate * item.factor) + item.days + scannedDays(item),
  };
}

/** The chance a day that it is deleted. */
export function lossRateOf({ shop, lossFactor }: ItemStats): number {
  return shop.lossRate * lossFactor;
}

/** The Gamma distribution of this mean and variance; if the mean is 0, that of no change at all. */
export function toGamma(mean: number, variance: number): { shape: number; span: number } {
  if (!(mean > 1e-12)) return { shape: 0, span: 1 };
  const spread = Math.max(variance, 1e-6 * mean * mean);
  return { shape: (mean * mean) / spread, span: mean / spread };
}

/** Days since its last check, as active days of its keyword. */
function activeSinceCheck({ keyword, checkedAt }: ItemStats, at: number): number {
  return keyword === null
    ? Math.max(0, at - checkedAt)
    : activeDays(keyword.pattern, checkedAt, at);
}

function valueAtRate(mean: number, variance: number, tau: number): number {
  const { shape, span } = toGamma(mean, variance);
  return checkValue(shape, span, tau);
}

/**
 * The value of a check of one item by a refresh, which also proves a deletion. `forecast`: for a future moment; its
 * keyword's list is expected to be read as often as usual.
 */
export function itemValue(item: ItemStats, at: number, forecast = false): number {
  const tau = at - item.checkedAt;
  if (!(tau > 0)) return 0;
  const { shop, weight } = item;
  if (item.suspect) {
    const { shape, span } = rateOf(item);
    return weight * checkValue(shape, span, activeSinceCheck(item, at)) + provenValue(item);
  }
  const missing = forecast ? null : missingChance(item, tau);
  const gone =
    missing === null
      ? (shop.goneWeight - 1) * valueAtRate(lossRateOf(item), 0, tau)
      : missing * shop.goneWeight * foundLaterDays;
  return weight * (changesValue(item, { at, lossRate: lossRateOf(item), forecast }) + gone);
}

/**
 * The value of an item on a search page, which proves no deletion: an item that is not shown is only suspected, and is
 * worth a call of its own at the threshold.
 */
export function pageItemValue(item: ItemStats, at: number, threshold: number): number {
  const tau = at - item.checkedAt;
  if (!(tau > 0) || item.suspect) return 0;
  const suspected = Math.max(0, provenValue(item) - threshold);
  return (
    item.weight * changesValue(item, { at, lossRate: 0, forecast: false }) +
    (missingChance(item, tau) ?? 0) * suspected
  );
}

/** The value of a refresh of a suspect for its deletion alone. */
function provenValue({ weight, shop }: ItemStats): number {
  return weight * suspectDeleted * shop.goneWeight * foundLaterDays;
}

/**
 * Of weight 1: the value of seeing its changes. Those that its keyword's list shows can only have happened where the
 * list was not read; silent changes and deletion at any time.
 */
function changesValue(
  item: ItemStats,
  { at, lossRate, forecast }: { at: number; lossRate: number; forecast: boolean },
): number {
  const { shop, keyword } = item;
  const tau = activeSinceCheck(item, at);
  const { shape, span } = rateOf(item);
  const mean = shape / span;
  const variance = mean / span;
  if (keyword === null || keyword.reading.until <= item.checkedAt) {
    return valueAtRate(mean + lossRate, variance, tau);
  }
  const silent = 1 - shop.bumpShare;
  const hidden = valueAtRate(silent * mean + lossRate, silent * silent * variance, tau);
  const { recent, missed } = unreadDays(keyword.reading, keyword.pattern, item.checkedAt, at);
  const sincePage = forecast ? Math.min(recent, keyword.reading.everyDays) : recent;
  const share = Math.max(1e-6, shop.bumpShare);
  const seen = checkValue(shape, span / share, sincePage);
  // What is in a gap does not grow: nothing is won by waiting.
  const inGap = findValue({
    shape,
    days: span,
    quiet: share * sincePage,
    changing: share * missed,
  });
  return hidden + seen + inGap;
}

/** The chance that it is deleted, if it is known how many products of its keyword are; null: nothing tells. */
function missingChance(item: ItemStats, tau: number): number | null {
  const { shop, keyword, checkedAt, lossFactor } = item;
  if (!keyword?.absences || checkedAt >= keyword.absences.since) return null;
  return -Math.expm1(-lossRateOfUnchecked(keyword.absences, shop.lossRate) * lossFactor * tau);
}

/**
 * Chance that it has not changed since its last check up to a moment. Changes that its keyword's list shows can only
 * have happened where the list was not read; silent changes at any time.
 */
export function unchangedSince(item: ItemStats, at: number): number {
  const { shape, span } = rateOf(item);
  const days = Math.max(0, activeSinceCheck(item, at) - scannedDays(item));
  return unchangedChance(shape, span, days) * (1 - importedChance(item));
}

/**
 * Chance that it is among the changes of an import whose first pages alone have been read: an import of which so many pages
 * were read has as many again, on the median.
 */
function importedChance({ keyword, checkedAt }: ItemStats): number {
  if (keyword === null) return 0;
  let imported = 0;
  for (const { to, next } of keyword.reading.gaps) {
    if (next && to > checkedAt) imported += next.surplus * next.pages;
  }
  return Math.min(1, imported / Math.max(1, keyword.products));
}

/** A list whose first page is read less often counts as not read, in days. */
const seldomReadDays = 20;

/** The usual days between two first pages of the item's list; null: it is not read. */
export function readEvery({ keyword }: ItemStats): number | null {
  const days = keyword?.reading.everyDays ?? Infinity;
  return days <= seldomReadDays ? days : null;
}

/**
 * The rate of changes that only a check of the item shows: silent changes if its list is read, and
 * deletion, which counts `goneWeight` times.
 */
export function checkLaw(item: ItemStats, goneWeight = 1): { shape: number; span: number } {
  const { shop } = item;
  const { shape, span } = rateOf(item);
  const seen = readEvery(item) === null ? 0 : shop.bumpShare;
  const hidden = ((1 - seen) * shape) / span;
  return toGamma(hidden + goneWeight * lossRateOf(item), ((1 - seen) * hidden) / span);
}

/** The items of most value, at most `batchSize`, and their value together. */
export function bestBatch<I extends ItemStats>(
  items: readonly I[],
  at: number,
  forecast = false,
): { items: readonly I[]; value: number } {
  const valued = items.map((item) => ({ item, value: itemValue(item, at, forecast) }));
  const best =
    valued.length <= batchSize
      ? valued
      : valued.sort((a, b) => b.value - a.value).slice(0, batchSize);
  return {
    items: best.map((one) => one.item),
    value: best.reduce((sum, one) => sum + one.value, 0),
  };
}

/**
 * The value of a changed item that the feed found: its weight times the days from its last check to its
 * first change since. Only the last change is dated, so the first is expected from the rate: with the
 * last one, hourly changes would make a feed seem worth scanning.
 */
export function changeValue(item: ItemStats, sinceCheck: number): number {
  const { shape, span } = rateOf(item);
  const changed = 1 - unchangedChance(shape, span, sinceCheck);
  return changed > 0 ? (item.weight * checkValue(shape, span, sinceCheck)) / changed : 0;
}

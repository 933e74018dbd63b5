import { PRIOR_SHAPE } from "./rate-estimate.ts";
import type { Arrivals, Yield } from "./yield.ts";
import { HORIZON_DAYS, daysUntilValue, checkValue, unchangedChance } from "./freshness-value.ts";

/**
 * The planner. Every call costs the same, so everything is worth what it gains per call, in
 * weight-days of freshness: a refresh batch, a scan of the newest changes, a page of the most
 * ordered, a look at the newest ids. The best is made next. It is pure: whoever stores the
 * catalogue reads a handful of due subjects, has them scored here, and writes new moments back.
 * All moments are days since the epoch, all spans days, all rates a day.
 */

/** Ids a refresh may ask for and items a page shows (specification section 8). */
export const BATCH = 50;
/** Items read of one shop; a shop with no more than that is scored whole. */
export const SHOP_READ = 120;

export interface ShopStats {
  shopId: string;
  /** Changes a day expected of a product about which nothing is known (`shopMean`). */
  meanRate: number;
  /** Chance a day that a product is deleted. */
  lossRate: number;
  /** A deleted product that is still shown costs so many times an old price. */
  goneWeight: number;
  /** Share of changes that bump `modified` (`bumpShare`). */
  bumpShare: number;
}

export interface KeywordStats {
  keywordId: number;
  /** Last complete scan of its newest changes. */
  feedScannedAt: number;
  /** The planned span between scans (`planScans`); Infinity: it is not scanned. */
  scanIntervalDays: number;
  /** Last look at its newest ids. */
  newestAt: number;
  newest: Yield;
  arrivals: Arrivals;
}

export interface ItemStats {
  itemId: number;
  weight: number;
  /** Evidence for its change rate. */
  changes: number;
  days: number;
  /** When an answer last showed it. */
  checkedAt: number;
  /** A page that should have shown it did not. */
  suspect: boolean;
  shop: ShopStats;
  /** A keyword whose feed shows its changes; null: none does. */
  keyword: KeywordStats | null;
}

/** Chance that a suspect is deleted. */
const SUSPECT_DELETED = 0.6;

/**
 * Days in which a change would have shown in a scan since the item's last check, and did not. Taken
 * into account when it is read, because no scan could write to everything it did not see.
 */
export function scannedDays(item: ItemStats): number {
  const scanned = item.keyword === null ? 0 : item.keyword.feedScannedAt - item.checkedAt;
  return item.shop.bumpShare * Math.max(0, scanned);
}

/** Its change rate as far as it is known: Gamma(shape, span), mean `shape / span` changes a day. */
export function rateOf(item: ItemStats): { shape: number; span: number } {
  return {
    shape: PRIOR_SHAPE + item.changes,
    span: PRIOR_SHAPE / item.shop.meanRate + item.days + scannedDays(item),
  };
}

/** The Gamma law of this mean and variance; that of what never happens where the mean is 0. */
export function toGamma(mean: number, variance: number): { shape: number; span: number } {
  if (!(mean > 1e-12)) return { shape: 0, span: 1 };
  const spread = Math.max(variance, 1e-6 * mean * mean);
  return { shape: (mean * mean) / spread, span: mean / spread };
}

function valueAtRate(mean: number, variance: number, tau: number): number {
  const { shape, span } = toGamma(mean, variance);
  return checkValue(shape, span, tau);
}

/**
 * Worth of looking at one item. What the feed would have shown cannot have happened up to its last
 * scan; only silent changes and deletion can. `forecast`: for a moment ahead, the feed is taken to
 * go on as usual.
 */
export function itemValue(item: ItemStats, at: number, forecast = false): number {
  const tau = at - item.checkedAt;
  if (!(tau > 0)) return 0;
  const { shop, keyword } = item;
  const { shape, span } = rateOf(item);
  const mean = shape / span;
  const variance = mean / span;
  if (item.suspect) {
    const gone = SUSPECT_DELETED * shop.goneWeight * tau * unchangedChance(shape, span, tau);
    return item.weight * (checkValue(shape, span, tau) + gone);
  }
  const gone = (shop.goneWeight - 1) * valueAtRate(shop.lossRate, 0, tau);
  if (keyword === null || keyword.feedScannedAt <= item.checkedAt) {
    return item.weight * (valueAtRate(mean + shop.lossRate, variance, tau) + gone);
  }
  const silent = 1 - shop.bumpShare;
  const hidden = valueAtRate(silent * mean + shop.lossRate, silent * silent * variance, tau);
  const sinceScan = at - keyword.feedScannedAt;
  const fed = forecast ? Math.min(sinceScan, keyword.scanIntervalDays) : sinceScan;
  const seen = checkValue(shape, span / shop.bumpShare, fed);
  return item.weight * (hidden + seen + gone);
}

/** A moment set at a price that has since fallen would hide its item: after so many days it is set anew. */
const RECONSIDER_DAYS = 3;

/**
 * The moment at which the item alone is worth `price` (the threshold of a call by `BATCH`), or at
 * which to reckon again: what `product_schedule.due_at` holds, so that a large shop's best items are found
 * by index. `now`: when it is set, by default at the check itself.
 */
export function itemDueAt(item: ItemStats, price: number, now = item.checkedAt): number {
  const { shape, span } = checkLaw(item, item.shop.goneWeight);
  const days = daysUntilValue(shape, span, price / item.weight);
  const patience = Math.max(RECONSIDER_DAYS, now - item.checkedAt);
  return Math.max(now, Math.min(item.checkedAt + days, now + patience));
}

/**
 * The rate of what only a check of its own can show: where the feed is scanned, silent changes and
 * deletion, which counts `goneWeight` times.
 */
export function checkLaw(item: ItemStats, goneWeight = 1): { shape: number; span: number } {
  const { shop, keyword } = item;
  const { shape, span } = rateOf(item);
  const seen = keyword !== null && Number.isFinite(keyword.scanIntervalDays) ? shop.bumpShare : 0;
  const hidden = ((1 - seen) * shape) / span;
  return toGamma(hidden + goneWeight * shop.lossRate, ((1 - seen) * hidden) / span);
}

/** The items most worth a check, at most `BATCH`, and what they are worth together. */
export function bestBatch<I extends ItemStats>(
  items: readonly I[],
  at: number,
  forecast = false,
): { items: readonly I[]; value: number } {
  const valued = items.map((item) => ({ item, value: itemValue(item, at, forecast) }));
  const best =
    valued.length <= BATCH ? valued : valued.sort((a, b) => b.value - a.value).slice(0, BATCH);
  return {
    items: best.map((one) => one.item),
    value: best.reduce((sum, one) => sum + one.value, 0),
  };
}

/**
 * The moment at which a batch of these items will be worth `price`: what `shop.due_at` holds.
 * Worth grows about as a power of time, so the secant runs in logarithms; 5% off is near enough.
 */
export function batchDueAt(items: readonly ItemStats[], now: number, price: number): number {
  if (items.length === 0) return now + HORIZON_DAYS;
  if (bestBatch(items, now, true).value >= price) return now;
  const best = bestBatch(items, now + 1, true).items;
  let span = 1;
  let power = 2;
  let earlier: { span: number; value: number } | null = null;
  for (let step = 0; step < 8; step += 1) {
    const { value } = bestBatch(best, now + span, true);
    const ratio = Math.log(price / Math.max(value, 1e-300));
    if (Math.abs(ratio) < 0.05) break;
    if (earlier && earlier.span !== span) {
      power = Math.log(value / earlier.value) / Math.log(span / earlier.span);
    }
    earlier = { span, value };
    const move = ratio / Math.min(4, Math.max(0.25, power));
    span *= Math.exp(Math.min(4, Math.max(-4, move)));
    if (span > HORIZON_DAYS) return now + HORIZON_DAYS;
    if (span < 1e-4) return now;
  }
  return now + span;
}

/**
 * What finding one changed item by the feed was worth: its weight times the days from the check
 * before to its first change since. Only the last one is dated, so the first is expected from its
 * rate: to take the last would make what changes every hour look worth following.
 */
export function changeValue(item: ItemStats, sinceCheck: number): number {
  const { shape, span } = rateOf(item);
  const changed = 1 - unchangedChance(shape, span, sinceCheck);
  return changed > 0 ? (item.weight * checkValue(shape, span, sinceCheck)) / changed : 0;
}

/**
 * The going price of a call follows what calls turn out to be worth: up while better ones are to be
 * had than the price, down while nothing is due. `calls`: made since the price is kept; the first
 * ones weigh more. A price far below what is to be had is caught up with at once: it dates from a
 * time when everything had just been looked at.
 */
export function nextThreshold(price: number, value: number, calls: number): number {
  if (price <= 0) return value;
  const step = Math.max(0.02, 1 / (0.3 * calls + 2));
  const ahead = Math.log(Math.max(value, 1e-300) / price);
  return price * Math.exp(step * Math.max(-1, Math.min(1, ahead)) + Math.max(0, ahead - 1) / 4);
}

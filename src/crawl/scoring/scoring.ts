import { PRIOR_SHAPE } from "./rate-estimate.ts";
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
  /** Share of changes that bump `modified` (`bumpShare`). */
  bumpShare: number;
}

/**
 * What earlier checks of one kind at one keyword have brought, fading with every further check, and
 * what they would have brought by the law of growth alone (`Growth`): the ratio is the keyword's own.
 */
export interface Yield {
  value: number;
  valueByLaw: number;
  /** Pages turned, against the number of news. */
  pages: number;
  newsByLaw: number;
}

/** How the worth and the number of news grow with the days since the last check, up to a factor. */
export interface Growth {
  value: number;
  news: number;
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

/** Products that came new to a keyword, and the days in which its scans would have shown them; fading. */
export interface Arrivals {
  items: number;
  weight: number;
  days: number;
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
 * Days for which the item is known not to have changed, and could have: besides its own looks the
 * scans since, which would have shown most changes. Taken into account here, when it is read,
 * because no scan could write to everything it did not see.
 */
function evidenceDays(item: ItemStats): number {
  const swept = item.keyword === null ? 0 : item.keyword.feedScannedAt - item.checkedAt;
  return item.days + item.shop.bumpShare * Math.max(0, swept);
}

/** Its change rate as far as it is known: Gamma(shape, span), mean `shape / span` changes a day. */
export function rateOf(item: ItemStats): { shape: number; span: number } {
  return {
    shape: PRIOR_SHAPE + item.changes,
    span: PRIOR_SHAPE / item.shop.meanRate + evidenceDays(item),
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
    const unchanged = unchangedChance(shape, span, tau);
    return item.weight * (checkValue(shape, span, tau) + SUSPECT_DELETED * tau * unchanged);
  }
  if (keyword === null || keyword.feedScannedAt <= item.checkedAt) {
    return item.weight * valueAtRate(mean + shop.lossRate, variance, tau);
  }
  const silent = 1 - shop.bumpShare;
  const hidden = valueAtRate(silent * mean + shop.lossRate, silent * silent * variance, tau);
  const sinceScan = at - keyword.feedScannedAt;
  const fed = forecast ? Math.min(sinceScan, keyword.scanIntervalDays) : sinceScan;
  const seen = checkValue(shape, span / shop.bumpShare, fed);
  return item.weight * (hidden + seen);
}

/** A moment set at a price that has since fallen would hide its item: after so many days it is set anew. */
const RECONSIDER_DAYS = 3;

/**
 * The moment at which the item alone is worth `price` (the threshold of a call by `BATCH`), or at
 * which to reckon again: what `product_schedule.due_at` holds, so that a large shop's best items are found
 * by index. `now`: when it is set, by default at the check itself.
 */
export function itemDueAt(item: ItemStats, price: number, now = item.checkedAt): number {
  const { shape, span } = checkLaw(item);
  const days = daysUntilValue(shape, span, price / item.weight);
  const patience = Math.max(RECONSIDER_DAYS, now - item.checkedAt);
  return Math.max(now, Math.min(item.checkedAt + days, now + patience));
}

/** The rate of what only a check of its own can show: where the feed is scanned, silent changes and deletion. */
export function checkLaw(item: ItemStats): { shape: number; span: number } {
  const { shop, keyword } = item;
  const { shape, span } = rateOf(item);
  const seen = keyword !== null && Number.isFinite(keyword.scanIntervalDays) ? shop.bumpShare : 0;
  const hidden = ((1 - seen) * shape) / span;
  return toGamma(hidden + shop.lossRate, ((1 - seen) * hidden) / span);
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

/** Of new items, which go on coming. */
export function newestGrowth(days: number): Growth {
  return { value: (days * days) / 2, news: days };
}

/** New products a day, as a share of those a keyword finds, until its scans have told: for so many days. */
const NEW_SHARE = 0.005;
const NEW_SHARE_DAYS = 1;
/** Arrivals fade with this time constant, in days. */
const ARRIVALS_MEMORY_DAYS = 30;

/** Of a keyword that finds so many products, before any scan. */
export function priorArrivals(found: number): Arrivals {
  const items = found * NEW_SHARE * NEW_SHARE_DAYS;
  return { items, weight: items, days: NEW_SHARE_DAYS };
}

/** A page showed these new products; a scan that reached what is known covers `days` more. */
export function afterArrivals(old: Arrivals, page: Arrivals): Arrivals {
  const keep = Math.exp(-page.days / ARRIVALS_MEMORY_DAYS);
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

/** Before any look at its newest ids: what its arrivals promise, held for a tenth of a check. */
export function priorYield(arrivals: Arrivals): Yield {
  const { items, weight } = arrivalRates(arrivals);
  return { value: 0.1 * weight, valueByLaw: 0.1, pages: (0.1 * items) / BATCH, newsByLaw: 0.1 };
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

const YIELD_KEEP = 0.7;

/** `look.worth`: the sum over the news, of changed items by `changeValue`, of new ones weight times days missed. */
export function afterCheck(
  old: Yield,
  look: { value: number; pages: number },
  growth: Growth,
): Yield {
  return {
    value: old.value * YIELD_KEEP + look.value,
    valueByLaw: old.valueByLaw * YIELD_KEEP + growth.value,
    pages: old.pages * YIELD_KEEP + look.pages,
    newsByLaw: old.newsByLaw * YIELD_KEEP + growth.news,
  };
}

/** What the next check would gain a call, and the pages it takes to reach what is known. */
export function expectCheck(past: Yield, growth: Growth): { perCall: number; pages: number } {
  const pages = Math.max(1, (past.pages / past.newsByLaw) * growth.news);
  return { perCall: ((past.value / past.valueByLaw) * growth.value) / pages, pages };
}

/**
 * Whether a look at newest ids that has not reached what is known yet goes on. It is judged by what
 * it was expected to take, and given up only when it takes longer and has not been worth it.
 */
export function checksOn(
  look: { value: number; pages: number },
  expected: { perCall: number; pages: number },
  price: number,
): boolean {
  if (look.value / look.pages >= GIVE_UP_BELOW * price) return true;
  return expected.perCall >= GIVE_UP_BELOW * price && look.pages < 1.3 * expected.pages + 1;
}

/** Share of the threshold below which a check is not worth going on with. */
const GIVE_UP_BELOW = 0.5;

/**
 * Whether a scan of newest changes goes on after a page that has not reached what is known. Half a
 * scan proves nothing of the rest, so a planned one is finished; a keyword that is not scanned is
 * only sampled, unless there turns out to be much to find.
 */
export function scansOn(
  scanIntervalDays: number,
  page: { value: number; news: number },
  price: number,
): boolean {
  return Number.isFinite(scanIntervalDays) || (page.news > 0 && page.value >= price);
}

/** The newest ids of a keyword are looked at this often at least, in days. */
export const NEWEST_MAX_AGE_DAYS = 30;

/**
 * Every keyword's newest changes are looked at this often at least, in days, even where scans are
 * not worth it, so that what begins to stir there is found: as often as two in a hundred of the
 * day's calls allow.
 */
export function keywordMaxAgeDays(keywords: number, callsPerDay: number): number {
  return Math.min(30, Math.max(1, keywords / (0.02 * callsPerDay)));
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

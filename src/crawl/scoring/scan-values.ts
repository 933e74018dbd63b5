import {
  BATCH,
  FRESH_DAYS,
  freshDays,
  rateOf,
  type ItemStats,
  type KeywordStats,
} from "./scoring.ts";
import { arrivalRates } from "./yield.ts";
import { checkValue, unchangedChance } from "./freshness-value.ts";

/** A page is full of new changes: the other places are left for known ones, because where these begin is only estimated. */
export const FULL_PAGE = BATCH - 5;

/** Days since all changes of a keyword were read, for which its curves are computed. */
const LAGS = [
  0, 0.005, 0.015, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.9, 1.3, 2, 3, 4.5, 7, 11, 18, 30,
];

/** What is expected of a keyword's changes after each of `LAGS`. */
export interface ScanCurves {
  /** Products that have changed, or are new. */
  unread: readonly number[];
  /** The value of reading all of them then, rather than later: see `checkValue`. */
  all: readonly number[];
  /** For how many product-days all of them would be fresh, if they were read then and otherwise never. */
  fresh: readonly number[];
}

/**
 * `sample`: some of the `found` products that the keyword shows; without any, nothing is expected of it. What other
 * calls have shown since all changes were read is not unread.
 */
export function toScanCurves(
  keyword: KeywordStats,
  sample: readonly ItemStats[],
  found: number,
): ScanCurves {
  const news = arrivalRates(keyword.arrivals);
  const scale = found / Math.max(1, sample.length);
  const laws = sample.map((item) => {
    const { shape, span } = rateOf(item);
    return {
      shape,
      span: span / Math.max(1e-3, item.shop.bumpShare),
      readDays: Math.max(0, item.checkedAt - keyword.feedScannedAt),
      weight: scale * item.weight,
      fresh: scale * item.weight * freshDays(item),
    };
  });
  const sum = (of: (law: (typeof laws)[number]) => number) =>
    laws.reduce((total, law) => total + of(law), 0);
  const since = (law: (typeof laws)[number], days: number) => Math.max(0, days - law.readDays);
  const changed = (days: number) => (law: (typeof laws)[number]) =>
    1 - unchangedChance(law.shape, law.span, since(law, days));
  return {
    unread: LAGS.map((days) => news.items * days + scale * sum(changed(days))),
    all: LAGS.map(
      (days) =>
        (news.weight * days * days) / 2 +
        sum((law) => law.weight * checkValue(law.shape, law.span, since(law, days))),
    ),
    fresh: LAGS.map(
      (days) => news.weight * days * FRESH_DAYS + sum((law) => law.fresh * changed(days)(law)),
    ),
  };
}

/** A curve at any lag: straight between the points, and flat after the last. */
export function atLag(curve: readonly number[], days: number): number {
  const above = LAGS.findIndex((lag) => lag >= days);
  if (above < 0) return curve.at(-1) ?? 0;
  if (above === 0) return curve[0] ?? 0;
  const [from = 0, to = 0] = [LAGS[above - 1], LAGS[above]];
  const [low = 0, high = 0] = [curve[above - 1], curve[above]];
  return low + ((high - low) * (days - from)) / (to - from);
}

/**
 * What the next page of a keyword's changes is worth. While a page shows all of them, waiting costs little: the same
 * page shows more of them later, and its value is that of a check of all products. Once more is unread than a page
 * shows, each call that is not made leaves a page of changed products as they are.
 */
export function pageValue(
  curves: ScanCurves,
  { days, unread }: { days: number; unread: number },
): number {
  if (unread < FULL_PAGE) return atLag(curves.all, days);
  return FULL_PAGE * freshPerChange(curves, days);
}

/** For how many product-days a product that has changed would be fresh, if it was read after so many days. */
export function freshPerChange(curves: ScanCurves, days: number): number {
  return atLag(curves.fresh, days) / Math.max(1e-9, atLag(curves.unread, days));
}

/** After how many days the next page of a keyword's changes is worth this; Infinity: it never is. */
export function daysToPage(curves: ScanCurves, price: number): number {
  const days = LAGS.find((lag) => {
    const value = pageValue(curves, { days: lag, unread: atLag(curves.unread, lag) });
    return value > 0 && value >= price;
  });
  return days ?? Infinity;
}

/** The curves are computed anew every day, and sooner while the crawler is new and learns fast. */
export function nextCurvesAt(beganAt: number, now: number): number {
  return now + Math.min(1, Math.max(1 / 24, (now - beganAt) / 2));
}

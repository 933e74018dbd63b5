import { lossRateBy } from "./absences.ts";
import { BATCH, rateOf, toGamma, type ItemStats, type KeywordStats } from "./scoring.ts";
import { arrivalRates } from "./yield.ts";
import { checkValue, unchangedChance } from "./freshness-value.ts";

/** Within how many days a change is seen by scans: the intervals that are compared. */
const SCANS = [0.005, 0.015, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.9, 1.3, 2, 3, 4.5, 7, 11, 18, 30];
/** The intervals between checks of single items that are compared, in days; the last is as good as never. */
const CHECKS = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 25, 50, 100, 300];
const GROUPS = 12;
/** A change of a keyword's way must reduce its shortfall by this share, because each change costs a scan. */
const INERTIA = 0.03;
/**
 * Without scans rates are learned from checks alone, and batches are not made of the best products of all shops: such
 * a share more is then missing than with checks at the best moments (cards of one shop, 30 calls a day: .75, not .82).
 */
const CHECKS_ALONE = 0.2;

/** Items that one keyword's feed shows, or that no feed shows. */
export interface Followed {
  /** null: no feed shows them. */
  keyword: KeywordStats | null;
  /** Some of them, in any order. */
  sample: readonly ItemStats[];
  /** How many there are. */
  found: number;
  /** Whether its feed is scanned at present; null: not decided yet. */
  isScanned: boolean | null;
  /** Mean fill of a call that checks single items, 0 to 1. */
  fill: number;
}

interface Way {
  /** Days between two pages of scans; Infinity: no scans. */
  gap: number;
  /** What is missing to perfect freshness, plus the cost of the calls. */
  shortfall: number;
  callsPerDay: number;
}

/** Mean share of time without an unseen change, if checked every `days`. */
function freshShare(shape: number, span: number, days: number): number {
  return checkValue(shape, span, days) / days + unchangedChance(shape, span, days);
}

/** New changes that a page of a scan shows; the others are known, because the end of what is known is only estimated. */
const PAGE_NEWS = 45;

/** How scans of a keyword with an interval keep its products. */
interface Scanning {
  /** Each page shows changes that are at least so many days old: newer ones have their turn later. */
  lag: number;
  /** Days between two pages. */
  gap: number;
}

/**
 * A page is read after `interval` days if it can show all changes since the one before. Otherwise pages follow one
 * another as soon as each is full, and read on from the oldest unread change, `lag` days behind: what changes again
 * within this time takes no place in them.
 */
function toScanning(
  interval: number,
  changedIn: (days: number) => number,
  changesAfter: (days: number) => number,
): Scanning {
  if (changedIn(interval) <= PAGE_NEWS) return { lag: 0, gap: interval };
  let low = 0;
  let high = interval;
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (changedIn(middle) > PAGE_NEWS) high = middle;
    else low = middle;
  }
  const lag = interval - high;
  return { lag, gap: Math.max(high, PAGE_NEWS / Math.max(1e-9, changesAfter(lag))) };
}

/** The gains and costs of one group of items for every way, before the threshold is known. */
function tabulate(followed: Followed) {
  const hasFeed = followed.keyword !== null;
  const news = followed.keyword ? arrivalRates(followed.keyword.arrivals) : { items: 0, weight: 0 };
  const scale = followed.found / Math.max(1, followed.sample.length);
  const laws = followed.sample
    .toSorted((a, b) => b.weight - a.weight)
    .map((item) => {
      const { shape, span } = rateOf(item);
      const bumped = hasFeed ? Math.max(1e-3, item.shop.bumpShare) : 1;
      return { item, shape, span, bumped, fedSpan: span / bumped };
    });
  const absences = followed.keyword?.absences ?? null;
  const sumOf = (of: (law: (typeof laws)[number]) => number) =>
    scale * laws.reduce((sum, law) => sum + of(law), 0);
  const changedIn = (days: number) =>
    news.items * days + sumOf(({ shape, fedSpan }) => 1 - unchangedChance(shape, fedSpan, days));
  const changesAfter = (days: number) =>
    news.items +
    sumOf(
      ({ shape, fedSpan }) => (shape / (fedSpan + days)) * unchangedChance(shape, fedSpan, days),
    );
  const scannings = hasFeed
    ? SCANS.map((interval) => toScanning(interval, changedIn, changesAfter))
    : [];
  const items = laws.map(({ item, shape, span, bumped, fedSpan }) => {
    const silent = ((1 - bumped) * shape) / span;
    const lossRate = lossRateBy(absences, item.shop.lossRate);
    const hidden = toGamma(silent + lossRate, ((1 - bumped) * silent) / span);
    const lost = toGamma(lossRate, 0);
    return {
      weight: item.weight,
      scanned: scannings.map(
        ({ lag, gap }) =>
          unchangedChance(shape, fedSpan, lag) * freshShare(shape, fedSpan + lag, gap),
      ),
      checked: CHECKS.map((days) => freshShare(shape, fedSpan, days)),
      hidden: CHECKS.map((days) => freshShare(hidden.shape, hidden.span, days)),
      // A deleted product that is still shown counts more than an old state.
      gone: CHECKS.map(
        (days) => (item.shop.goneWeight - 1) * (1 - freshShare(lost.shape, lost.span, days)),
      ),
    };
  });
  const size = Math.max(1, Math.ceil(items.length / GROUPS));
  const groups = Array.from({ length: Math.ceil(items.length / size) }, (_, g) => {
    const group = items.slice(g * size, (g + 1) * size);
    const gains = Array.from({ length: hasFeed ? SCANS.length + 1 : 1 }, (_unused, scan) =>
      CHECKS.map((_days, t) => {
        let gain = 0;
        for (const item of group) {
          const seen = Math.max(
            item.checked[t] ?? 0,
            scan === 0 ? 0 : (item.scanned[scan - 1] ?? 0),
          );
          gain += scale * item.weight * (seen * (item.hidden[t] ?? 0) - (item.gone[t] ?? 0));
        }
        return gain;
      }),
    );
    return { pages: (group.length * scale) / (BATCH * followed.fill), gains };
  });
  const weight = sumOf(({ item }) => item.weight);
  const shown = hasFeed
    ? sumOf(({ item, bumped }) => item.weight * bumped) / Math.max(weight, 1e-9)
    : 0;
  return { followed, news, groups, scannings, weight, shown };
}

/** The best way at this threshold. */
function bestWay(
  { followed, news, groups, scannings, weight, shown }: ReturnType<typeof tabulate>,
  price: number,
): Way {
  const ways = [null, ...scannings].map((scanning, scan): Way => {
    let callsPerDay = scanning ? 1 / scanning.gap : 0;
    let gain = -price * callsPerDay;
    // If no scan shows new items, the newest ids are checked as often as is best.
    gain -= scanning
      ? news.weight * (scanning.lag + scanning.gap / 2)
      : Math.sqrt(2 * price * news.weight);
    for (const group of groups) {
      let best = -Infinity;
      let calls = 0;
      for (const [t, every] of CHECKS.entries()) {
        const net = (group.gains[scan]?.[t] ?? 0) - (price * group.pages) / every;
        if (net <= best) continue;
        best = net;
        calls = group.pages / every;
      }
      gain += best;
      callsPerDay += calls;
    }
    const isPresent = (scanning !== null) === followed.isScanned;
    return {
      gap: scanning?.gap ?? Infinity,
      shortfall:
        (weight - gain) * (isPresent ? 1 - INERTIA : 1) * (scanning ? 1 : 1 + CHECKS_ALONE * shown),
      callsPerDay,
    };
  });
  return ways.reduce((a, b) => (b.shortfall < a.shortfall ? b : a));
}

/**
 * After how many days each keyword's newest changes are asked for again, given the calls of a day;
 * Infinity: never. Scans and single checks share the same gains, so neither can be judged call by call:
 * while top-seller pages check the best items, a scan seems to be worth little, and while scans are
 * frequent, so do the pages. Both states last, and one is much better. So whole ways of working are
 * compared, at the threshold at which the day's calls are just spent.
 */
export function planScans(all: readonly Followed[], callsPerDay: number): number[] {
  const tables = all.map(tabulate);
  let low = 1e-6;
  let high = 1e9;
  for (let step = 0; step < 24; step += 1) {
    const price = Math.sqrt(low * high);
    const calls = tables.reduce((sum, table) => sum + bestWay(table, price).callsPerDay, 0);
    if (calls > callsPerDay) low = price;
    else high = price;
  }
  return tables.map((table) => bestWay(table, high).gap);
}

/** The plan is renewed every day, and sooner while the crawler is new and learns fast. */
export function nextScanPlanAt(beganAt: number, now: number): number {
  return now + Math.min(1, Math.max(1 / 24, (now - beganAt) / 2));
}

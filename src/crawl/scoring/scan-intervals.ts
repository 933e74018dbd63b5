import { lossRateBy } from "./absences.ts";
import { BATCH, rateOf, toGamma, type ItemStats, type KeywordStats } from "./scoring.ts";
import { arrivalRates } from "./yield.ts";
import { checkValue, unchangedChance } from "./freshness-value.ts";

/** The intervals between scans that are compared, in days; index 0 of a way means no scans. */
const SCANS = [0.005, 0.015, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.9, 1.3, 2, 3, 4.5, 7, 11, 18, 30];
/** The intervals between checks of single items that are compared, in days; the last is as good as never. */
const CHECKS = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 25, 50, 100, 300];
const GROUPS = 12;
/** A change of a keyword's way must reduce its shortfall by this share, because each change costs a scan. */
const INERTIA = 0.1;

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
  /** 0: never scanned; else the interval SCANS[scan - 1]. */
  scan: number;
  /** What is missing to perfect freshness, plus the cost of the calls. */
  shortfall: number;
  callsPerDay: number;
}

/** Mean share of time without an unseen change, if checked every `days`. */
function freshShare(shape: number, span: number, days: number): number {
  return checkValue(shape, span, days) / days + unchangedChance(shape, span, days);
}

/** The gains and costs of one group of items for every way, before the threshold is known. */
function tabulate(followed: Followed) {
  const hasFeed = followed.keyword !== null;
  const news = followed.keyword ? arrivalRates(followed.keyword.arrivals) : { items: 0, weight: 0 };
  const absences = followed.keyword?.absences ?? null;
  const scale = followed.found / Math.max(1, followed.sample.length);
  const items = followed.sample
    .toSorted((a, b) => b.weight - a.weight)
    .map((item) => {
      const { shape, span } = rateOf(item);
      const bumped = hasFeed ? Math.max(1e-3, item.shop.bumpShare) : 1;
      const silent = ((1 - bumped) * shape) / span;
      const lossRate = lossRateBy(absences, item.shop.lossRate);
      const hidden = toGamma(silent + lossRate, ((1 - bumped) * silent) / span);
      const lost = toGamma(lossRate, 0);
      const fresh = (days: number) => freshShare(shape, span / bumped, days);
      return {
        weight: item.weight,
        scanned: SCANS.map(fresh),
        checked: CHECKS.map(fresh),
        hidden: CHECKS.map((days) => freshShare(hidden.shape, hidden.span, days)),
        // A deleted product that is still shown counts more than an old state.
        gone: CHECKS.map(
          (days) => (item.shop.goneWeight - 1) * (1 - freshShare(lost.shape, lost.span, days)),
        ),
        changed: SCANS.map((days) => 1 - unchangedChance(shape, span / bumped, days)),
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
  const weight = scale * items.reduce((sum, item) => sum + item.weight, 0);
  const scanPages = SCANS.map((days, p) => {
    const changed = scale * items.reduce((sum, item) => sum + (item.changed[p] ?? 0), 0);
    return Math.max(1, (changed + news.items * days) / BATCH + 0.5);
  });
  return { followed, news, groups, scanPages, weight };
}

/**
 * A scan must end within this part of its interval and within a day: on later pages new changes would
 * shift the items.
 */
const SCAN_WITHIN = 0.5;

/** The best way at this threshold. */
function bestWay(
  { followed, news, groups, scanPages, weight }: ReturnType<typeof tabulate>,
  price: number,
  dayCalls: number,
): Way {
  const scans = scanPages.flatMap((pages, p) => {
    const within = Math.min(1, SCAN_WITHIN * (SCANS[p] ?? 0));
    return pages <= Math.max(1, dayCalls * within) ? [p + 1] : [];
  });
  const ways = [0, ...(followed.keyword ? scans : [])].map((scan): Way => {
    const isScan = scan > 0;
    const days = SCANS[scan - 1] ?? Infinity;
    let callsPerDay = isScan ? (scanPages[scan - 1] ?? 1) / days : 0;
    let gain = -price * callsPerDay;
    // If no scan shows new items, the newest ids are checked as often as is best.
    gain -= isScan ? (news.weight * days) / 2 : Math.sqrt(2 * price * news.weight);
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
    const isPresent = isScan === followed.isScanned;
    return { scan, shortfall: (weight - gain) * (isPresent ? 1 - INERTIA : 1), callsPerDay };
  });
  return ways.reduce((a, b) => (b.shortfall < a.shortfall ? b : a));
}

/**
 * After how many days each keyword's newest changes are scanned again, given the calls of a day;
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
    const calls = tables.reduce(
      (sum, table) => sum + bestWay(table, price, callsPerDay).callsPerDay,
      0,
    );
    if (calls > callsPerDay) low = price;
    else high = price;
  }
  return tables.map((table) => SCANS[bestWay(table, high, callsPerDay).scan - 1] ?? Infinity);
}

/** The plan is renewed every day, and sooner while the crawler is new and learns fast. */
export function nextScanPlanAt(beganAt: number, now: number): number {
  return now + Math.min(1, Math.max(1 / 24, (now - beganAt) / 2));
}

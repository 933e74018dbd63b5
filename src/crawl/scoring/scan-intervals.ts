import { BATCH, rateOf, toGamma, type ItemStats, type KeywordStats } from "./scoring.ts";
import { arrivalRates } from "./yield.ts";
import { checkValue, unchangedChance } from "./freshness-value.ts";

/** Spans between scans that are compared, in days; before them, none at all. */
const SCANS = [0.005, 0.015, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.9, 1.3, 2, 3, 4.5, 7, 11, 18, 30];
/** Spans between single looks that are compared, in days; the last is as good as never. */
const LOOKS = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 25, 50, 100, 300];
const GROUPS = 12;
/** By this share another way of working must fall less short, because each change of it costs a scan. */
const INERTIA = 0.1;

/** Items that one keyword's feed shows, or that none does. */
export interface Followed {
  /** null: no feed shows them. */
  keyword: KeywordStats | null;
  /** Some of them, in any order. */
  sample: readonly ItemStats[];
  /** How many there are. */
  found: number;
  /** How it is followed at present; null: not decided yet. */
  isSwept: boolean | null;
  /** Mean fill of a call that looks at single items, 0 to 1. */
  fill: number;
}

interface Way {
  /** 0: never scanned; else SCANS[scan - 1]. */
  sweep: number;
  /** What is missing of perfect freshness, with what the calls cost. */
  shortfall: number;
  callsPerDay: number;
}

/** Average share of time unchanged, when looked at every `days`. */
function freshShare(shape: number, span: number, days: number): number {
  return checkValue(shape, span, days) / days + unchangedChance(shape, span, days);
}

/** What one group of items gains and costs for every way of following it, before the price of a call. */
function tabulate(followed: Followed) {
  const hasFeed = followed.keyword !== null;
  const news = followed.keyword ? arrivalRates(followed.keyword.arrivals) : { items: 0, weight: 0 };
  const scale = followed.found / Math.max(1, followed.sample.length);
  const items = followed.sample
    .toSorted((a, b) => b.weight - a.weight)
    .map((item) => {
      const { shape, span } = rateOf(item);
      const bumped = hasFeed ? Math.max(1e-3, item.shop.bumpShare) : 1;
      const silent = ((1 - bumped) * shape) / span;
      const hidden = toGamma(silent + item.shop.lossRate, ((1 - bumped) * silent) / span);
      const lost = toGamma(item.shop.lossRate, 0);
      const fresh = (days: number) => freshShare(shape, span / bumped, days);
      return {
        weight: item.weight,
        swept: SCANS.map(fresh),
        looked: LOOKS.map(fresh),
        hidden: LOOKS.map((days) => freshShare(hidden.shape, hidden.span, days)),
        // What is deleted and still shown counts more than what is merely old.
        gone: LOOKS.map(
          (days) => (item.shop.goneWeight - 1) * (1 - freshShare(lost.shape, lost.span, days)),
        ),
        changed: SCANS.map((days) => 1 - unchangedChance(shape, span / bumped, days)),
      };
    });
  const size = Math.max(1, Math.ceil(items.length / GROUPS));
  const groups = Array.from({ length: Math.ceil(items.length / size) }, (_, g) => {
    const group = items.slice(g * size, (g + 1) * size);
    const gains = Array.from({ length: hasFeed ? SCANS.length + 1 : 1 }, (_unused, sweep) =>
      LOOKS.map((_days, t) => {
        let gain = 0;
        for (const item of group) {
          const seen = Math.max(
            item.looked[t] ?? 0,
            sweep === 0 ? 0 : (item.swept[sweep - 1] ?? 0),
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

/** A scan must reach its end within this part of its span and within a day: later pages show what came meanwhile. */
const SCAN_WITHIN = 0.5;

/** The best way at this price of a call. */
function bestWay(
  { followed, news, groups, scanPages, weight }: ReturnType<typeof tabulate>,
  price: number,
  dayCalls: number,
): Way {
  const sweeps = scanPages.flatMap((pages, p) => {
    const within = Math.min(1, SCAN_WITHIN * (SCANS[p] ?? 0));
    return pages <= Math.max(1, dayCalls * within) ? [p + 1] : [];
  });
  const ways = [0, ...(followed.keyword ? sweeps : [])].map((sweep): Way => {
    const isScan = sweep > 0;
    const days = SCANS[sweep - 1] ?? Infinity;
    let callsPerDay = isScan ? (scanPages[sweep - 1] ?? 1) / days : 0;
    let gain = -price * callsPerDay;
    // New items that no scan shows are looked for by themselves, as often as is best.
    gain -= isScan ? (news.weight * days) / 2 : Math.sqrt(2 * price * news.weight);
    for (const group of groups) {
      let best = -Infinity;
      let calls = 0;
      for (const [t, look] of LOOKS.entries()) {
        const net = (group.gains[sweep]?.[t] ?? 0) - (price * group.pages) / look;
        if (net <= best) continue;
        best = net;
        calls = group.pages / look;
      }
      gain += best;
      callsPerDay += calls;
    }
    const isPresent = isScan === followed.isSwept;
    return { sweep, shortfall: (weight - gain) * (isPresent ? 1 - INERTIA : 1), callsPerDay };
  });
  return ways.reduce((a, b) => (b.shortfall < a.shortfall ? b : a));
}

/**
 * After how many days each keyword's newest changes are to be scanned again, Infinity where never, given the calls of
 * a day. Sweeps and single looks share the same gains, so neither can be judged call by call: where
 * pages of the most ordered look after the best items, a scan seems worth little, and where scans
 * are frequent, so do the pages; both states last, and one is much the better. So whole ways of
 * working are compared, at the price of a call at which the day's calls are just spent.
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
  return tables.map((table) => SCANS[bestWay(table, high, callsPerDay).sweep - 1] ?? Infinity);
}

/** The plan is made anew every day, and sooner while the crawler is young and learns fast. */
export function nextScanPlanAt(beganAt: number, now: number): number {
  return now + Math.min(1, Math.max(1 / 24, (now - beganAt) / 2));
}

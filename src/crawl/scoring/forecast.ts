import { BATCH, checkLaw, rateOf, type ItemStats } from "./scoring.ts";
import { HORIZON_DAYS, daysUntilValue, checkValue, unchangedChance } from "./freshness-value.ts";

export interface ForecastRules {
  /** Calls a day that revalidation may have. */
  callsPerDay: number;
  /** Products a refresh call observes, of 50, as the ledger shows it; 0 to 1. */
  fill: number;
  /** Products not proven gone; the sample stands for all of them. */
  products: number;
  /** Their shops: a refresh is of one shop, so that a pass over everything takes a call each at least. */
  shops: number;
  /** No product is to wait longer than this for a check, in days. */
  maxAgeDays: number;
  /** Multiplies the importance of shops by id; others keep theirs. */
  shopWeights?: Readonly<Record<string, number>>;
}

/** Products of weight `minWeight` and more are to be re-checked within `hours`, at p95. */
export interface Target {
  minWeight: number;
  hours: number;
}

export interface Forecast {
  /** Importance-weighted share of time in which a stored product equals the upstream's. */
  freshness: number;
  /** Hours within which products are re-checked, at p95, by least weight. */
  promise: { minWeight: number; share: number; hoursP95: number }[];
  /** Calls a day needed to keep the maximum age alone, and the maximum age that can be kept. */
  maxAgeCallsPerDay: number;
  boundDays: number;
  /** The going price per call at which the calls are just spent. */
  price: number;
}

/** Of the calls, no more than this share goes to the maximum age in the long run, so that it cannot crowd out value. */
const MAX_AGE_SHARE = 0.25;
/** The same on any one day, also where all products reach it at once because they were found on one day. */
const MAX_AGE_SHARE_AT_ONCE = 0.5;

type MaxAgeRules = Pick<ForecastRules, "callsPerDay" | "products" | "shops" | "maxAgeDays">;

/** Days that one look at every product takes at most, if nothing else is done. */
function passDays({ callsPerDay, products, shops }: MaxAgeRules): number {
  return (products / BATCH + shops) / callsPerDay;
}

/** Of the calls that the maximum age may have, what it gets when everything that cannot wait has come first. */
const LEFT_FOR_MAX_AGE = 0.8;

/** Days until the last of all products is looked at when the maximum age asks for all of them at once. */
function clearedAfterDays(rules: MaxAgeRules): number {
  return passDays(rules) / (MAX_AGE_SHARE_AT_ONCE * LEFT_FOR_MAX_AGE);
}

/**
 * The bound within which every product is looked at: the wished one, or when that is shorter, what the
 * share of the maximum age can keep. `Infinity` without calls.
 */
export function starvationBoundDays(rules: MaxAgeRules): number {
  return Math.max(rules.maxAgeDays, passDays(rules) / MAX_AGE_SHARE + clearedAfterDays(rules));
}

/** After how many days the maximum age asks for a product, so that the bound is kept even if it asks for all at once. */
export function checkedAfterDays(rules: MaxAgeRules): number {
  return starvationBoundDays(rules) - clearedAfterDays(rules);
}

interface Law {
  weight: number;
  /** Of what only a check can show: silent changes and deletion. */
  shape: number;
  span: number;
  /** Of what the feed shows, and how often it is scanned; null: no scan does. */
  fed: { shape: number; span: number; scanIntervalDays: number } | null;
}

function toLaw(item: ItemStats, rules: ForecastRules): Law {
  const { shop, keyword } = item;
  const { shape, span } = rateOf(item);
  return {
    weight: item.weight * (rules.shopWeights?.[shop.shopId] ?? 1),
    ...checkLaw(item),
    fed:
      keyword === null || !Number.isFinite(keyword.scanIntervalDays)
        ? null
        : {
            shape,
            span: span / Math.max(shop.bumpShare, 1e-6),
            scanIntervalDays: keyword.scanIntervalDays,
          },
  };
}

/** Mean chance over a cycle of `tau` days of being as last seen. */
function meanFresh(shape: number, span: number, tau: number): number {
  if (tau < 1e-9) return 1;
  return checkValue(shape, span, tau) / tau + unchangedChance(shape, span, tau);
}

/**
 * What a budget keeps fresh, from learned rates alone: spends nothing and touches nothing. In the
 * steady state every product is looked at when its worth reaches one price; the price is found at
 * which the checks just use the calls. What the feed shows is counted at its present rhythm.
 */
export function forecast(sample: readonly ItemStats[], rules: ForecastRules): Forecast {
  const laws = sample.map((item) => toLaw(item, rules));
  const scale = rules.products / Math.max(1, sample.length);
  const boundDays = starvationBoundDays(rules);
  const checksPerCall = BATCH * rules.fill;
  const spanAt = (law: Law, price: number) =>
    Math.min(
      boundDays,
      HORIZON_DAYS,
      daysUntilValue(law.shape, law.span, price / checksPerCall / law.weight),
    );
  const callsAt = (price: number) =>
    laws.reduce((sum, law) => sum + 1 / Math.max(1e-4, spanAt(law, price)), 0) *
    (scale / checksPerCall);
  let low = 1e-9;
  let high = 1e9;
  for (let step = 0; step < 60; step += 1) {
    const middle = Math.sqrt(low * high);
    if (callsAt(middle) > rules.callsPerDay) low = middle;
    else high = middle;
  }
  const spans = laws.map((law) => ({ weight: law.weight, days: spanAt(law, high), law }));
  const total = spans.reduce((sum, { weight }) => sum + weight, 0);
  const fresh = spans.reduce((sum, { weight, days, law }) => {
    const fed = law.fed
      ? meanFresh(law.fed.shape, law.fed.span, Math.min(days, law.fed.scanIntervalDays))
      : 1;
    return sum + weight * meanFresh(law.shape, law.span, days) * fed;
  }, 0);
  return {
    freshness: total > 0 ? fresh / total : 1,
    promise: promises(spans),
    maxAgeCallsPerDay: (rules.products / BATCH + rules.shops) / rules.maxAgeDays,
    boundDays,
    price: high,
  };
}

/** For all products, the upper half, tenth and hundredth by weight. */
function promises(spans: readonly { weight: number; days: number }[]): Forecast["promise"] {
  const byWeight = spans.toSorted((a, b) => b.weight - a.weight);
  return [1, 0.5, 0.1, 0.01].flatMap((share) => {
    const top = byWeight.slice(0, Math.max(1, Math.round(byWeight.length * share)));
    const days = top.map((one) => one.days).toSorted((a, b) => a - b);
    const p95 = days[Math.min(days.length - 1, Math.floor(days.length * 0.95))];
    const least = top.at(-1);
    return p95 === undefined || !least
      ? []
      : [{ minWeight: least.weight, share, hoursP95: p95 * 24 }];
  });
}

/** The calls a day with which products of weight `minWeight` and more are re-checked within `hours` at p95. */
export function callsForTarget(
  sample: readonly ItemStats[],
  rules: ForecastRules,
  target: Target,
): number | null {
  const meets = (callsPerDay: number) => {
    const relevant = forecast(sample, { ...rules, callsPerDay }).price;
    const checksPerCall = BATCH * rules.fill;
    const days = sample
      .map((item) => toLaw(item, rules))
      .filter((law) => law.weight >= target.minWeight)
      .map((law) =>
        Math.min(
          starvationBoundDays({ ...rules, callsPerDay }),
          daysUntilValue(law.shape, law.span, relevant / checksPerCall / law.weight),
        ),
      )
      .toSorted((a, b) => a - b);
    return (days[Math.floor(days.length * 0.95)] ?? 0) * 24 <= target.hours;
  };
  let low = 1;
  let high = 1;
  while (!meets(high)) {
    low = high;
    high *= 2;
    if (high > 10_000_000) return null;
  }
  while (high - low > Math.max(1, low * 0.02)) {
    const middle = Math.round((low + high) / 2);
    if (meets(middle)) high = middle;
    else low = middle;
  }
  return high;
}

import { batchSize, checkLaw, rateOf, readEvery, type ItemStats } from "./scoring.ts";
import { horizonDays, daysUntilValue, checkValue, unchangedChance } from "./freshness-value.ts";

export interface ForecastRules {
  /** Calls a day that revalidation may have. */
  callsPerDay: number;
  /** Share of 50 products that a refresh call observes, 0 to 1, from the ledger. */
  fill: number;
  /** Products that are not deleted; the sample stands for all of them. */
  products: number;
  /** Their shops: a pass over all products takes at least one call for each. */
  shops: number;
  /** Every product is to be checked within so many days. */
  maxAgeDays: number;
  /** Multiplies the importance of products, by shop id; 1 for others. */
  shopWeights?: Readonly<Record<string, number>>;
}

/** Products of weight `minWeight` and more are to be checked again within `hours`, at p95. */
export interface Target {
  minWeight: number;
  hours: number;
}

export interface Forecast {
  /** Importance-weighted share of time in which a stored product equals the upstream's. */
  freshness: number;
  /** Hours within which products are checked again, at p95, for the upper shares by weight. */
  promise: { minWeight: number; share: number; hoursP95: number }[];
  /** Calls a day that the maximum age alone needs, and the maximum age that can be kept. */
  maxAgeCallsPerDay: number;
  boundDays: number;
  /** The value of a call at which all calls are just spent. */
  threshold: number;
}

/** The maximum age gets at most this share of the calls in the long run, so that calls of value remain. */
const maxAgeShare = 0.25;
/** The same on a single day, even if all products reach the maximum age at once. */
const maxAgeShareAtOnce = 0.5;

type MaxAgeRules = Pick<ForecastRules, "callsPerDay" | "products" | "shops" | "maxAgeDays">;

/** Days that one check of every product takes if nothing else is done. */
function passDays({ callsPerDay, products, shops }: MaxAgeRules): number {
  return (products / batchSize + shops) / callsPerDay;
}

/** The share of its calls that the maximum age gets after all urgent calls. */
const leftForMaxAge = 0.8;

/** Days until the last product is checked if all reach the maximum age at once. */
function clearedAfterDays(rules: MaxAgeRules): number {
  return passDays(rules) / (maxAgeShareAtOnce * leftForMaxAge);
}

/**
 * The time within which every product is checked: the requested maximum age or, if that is shorter,
 * what its share of the calls can keep. `Infinity` without calls.
 */
export function starvationBoundDays(rules: MaxAgeRules): number {
  return Math.max(rules.maxAgeDays, passDays(rules) / maxAgeShare + clearedAfterDays(rules));
}

/** After how many days a product is due, so that the bound holds even if all are due at once. */
export function checkedAfterDays(rules: MaxAgeRules): number {
  return starvationBoundDays(rules) - clearedAfterDays(rules);
}

/** A sampled product. */
interface Sampled {
  weight: number;
  /** The rate of changes that only a check shows: silent ones and deletion. */
  shape: number;
  span: number;
  /** The rate of changes that the keyword's list shows, and how often it is read; null: it is not read. */
  listed: { shape: number; span: number; everyDays: number } | null;
}

function toSampled(item: ItemStats, rules: ForecastRules): Sampled {
  const { shop } = item;
  const { shape, span } = rateOf(item);
  const everyDays = readEvery(item);
  return {
    weight: item.weight * (rules.shopWeights?.[shop.shopId] ?? 1),
    ...checkLaw(item),
    listed:
      everyDays === null ? null : { shape, span: span / Math.max(shop.bumpShare, 1e-6), everyDays },
  };
}

/** After how many days its check is worth a call of this value. */
function daysUntilCheck(
  { weight, shape, span }: Sampled,
  threshold: number,
  rules: ForecastRules,
): number {
  return Math.min(
    starvationBoundDays(rules),
    horizonDays,
    daysUntilValue(shape, span, threshold / (batchSize * rules.fill) / weight),
  );
}

/** Mean chance, over a cycle of `tau` days, that the stored state is still right. */
function meanFresh(shape: number, span: number, tau: number): number {
  if (tau < 1e-9) return 1;
  return checkValue(shape, span, tau) / tau + unchangedChance(shape, span, tau);
}

/**
 * The freshness that a budget keeps, from learned rates alone; makes no calls and writes nothing. In
 * the steady state every product is checked when its value reaches one threshold: the threshold is
 * found at which the checks just use the calls. Lists of newest changes are expected to be read as often as at present.
 */
export function forecast(sample: readonly ItemStats[], rules: ForecastRules): Forecast {
  const sampled = sample.map((item) => toSampled(item, rules));
  const scale = rules.products / Math.max(1, sample.length);
  const callsAt = (threshold: number) =>
    sampled.reduce(
      (sum, item) => sum + 1 / Math.max(1e-4, daysUntilCheck(item, threshold, rules)),
      0,
    ) *
    (scale / (batchSize * rules.fill));
  let low = 1e-9;
  let high = 1e9;
  for (let step = 0; step < 60; step += 1) {
    const middle = Math.sqrt(low * high);
    if (callsAt(middle) > rules.callsPerDay) low = middle;
    else high = middle;
  }
  const checked = sampled.map((item) => ({ ...item, days: daysUntilCheck(item, high, rules) }));
  const total = checked.reduce((sum, { weight }) => sum + weight, 0);
  const fresh = checked.reduce((sum, { weight, shape, span, listed, days }) => {
    const byList = listed
      ? meanFresh(listed.shape, listed.span, Math.min(days, listed.everyDays))
      : 1;
    return sum + weight * meanFresh(shape, span, days) * byList;
  }, 0);
  return {
    freshness: total > 0 ? fresh / total : 1,
    promise: promises(checked),
    maxAgeCallsPerDay: (rules.products / batchSize + rules.shops) / rules.maxAgeDays,
    boundDays: starvationBoundDays(rules),
    threshold: high,
  };
}

/** For all products, and for the upper half, tenth and hundredth by weight. */
function promises(checked: readonly { weight: number; days: number }[]): Forecast["promise"] {
  const byWeight = checked.toSorted((a, b) => b.weight - a.weight);
  return [1, 0.5, 0.1, 0.01].flatMap((share) => {
    const top = byWeight.slice(0, Math.max(1, Math.round(byWeight.length * share)));
    const p95 = p95Of(top.map((one) => one.days));
    const least = top.at(-1);
    return p95 === undefined || !least
      ? []
      : [{ minWeight: least.weight, share, hoursP95: p95 * 24 }];
  });
}

const p95Of = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];

/**
 * Calls a day with which products of weight `minWeight` and more are checked again within `hours` at
 * p95; null if no number is enough.
 */
export function callsForTarget(
  sample: readonly ItemStats[],
  rules: ForecastRules,
  target: Target,
): number | null {
  const relevant = sample
    .map((item) => toSampled(item, rules))
    .filter(({ weight }) => weight >= target.minWeight);
  const meets = (callsPerDay: number) => {
    const tried = { ...rules, callsPerDay };
    const { threshold } = forecast(sample, tried);
    const p95 = p95Of(relevant.map((item) => daysUntilCheck(item, threshold, tried)));
    return (p95 ?? 0) * 24 <= target.hours;
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

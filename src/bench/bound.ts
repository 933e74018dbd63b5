import { batchSize } from "../crawl/scoring/scoring.ts";
import { addition, deletion, type World } from "./worlds/world.ts";

export interface Bounds {
  /**
   * No change is signalled: each product is checked as often as is best for its true rate, at equal
   * intervals (Cho and Garcia-Molina).
   */
  unsignalled: number;
  /** All changes are known in advance; what a check shows is kept up to the next change. */
  clairvoyant: number;
}

const halvings = 60;

/**
 * The highest freshness that so many calls a day could reach if every call showed 50 products of our
 * choice, of whatever shops.
 *
 * Unsignalled: true mean change rates are known from the start, changes are random (Poisson), deleted and
 * new products are noticed at once, and the copy does not begin fresh. With r_i checks of product i a day
 * and sum r_i = 50 x calls it is the maximum of the weighted mean of (r_i/rate_i)(1 - e^(-rate_i/r_i)).
 *
 * Clairvoyant: see `clairvoyant`.
 */
export function freshnessBounds(world: World, callsPerDay: number): Bounds {
  const share = liveShare(world);
  const items = [...share.keys()].filter((item) => (share[item] ?? 0) > 0);
  const products = items.map((item) => ({
    weight: world.weight[item] ?? 0,
    rate: world.trueRate[item] ?? 0,
    share: share[item] ?? 0,
  }));
  return {
    unsignalled: unsignalled(products, batchSize * callsPerDay),
    clairvoyant: clairvoyant(world, products, callsPerDay),
  };
}

interface Product {
  weight: number;
  /** Changes a day. */
  rate: number;
  /** The share of the measured time in which it is live. */
  share: number;
}

function meanOf(products: readonly Product[], freshness: (product: Product) => number): number {
  let all = 0;
  let fresh = 0;
  for (const product of products) {
    const weight = product.weight * product.share;
    all += weight;
    fresh += weight * freshness(product);
  }
  return fresh / all;
}

/**
 * One more check gains weight/rate x g(x), with x = rate/r and g(x) = 1 - e^(-x)(1 + x). At the optimum
 * the gain is the same for all checked products: this multiplier is found by bisection.
 */
function unsignalled(products: readonly Product[], checks: number): number {
  const changing = products.filter((product) => product.rate > 0);
  const spanAt = (multiplier: number, { rate, weight }: Product) =>
    inverseGain((multiplier * rate) / weight);
  const spent = (multiplier: number) =>
    changing.reduce((sum, one) => sum + (one.share * one.rate) / spanAt(multiplier, one), 0);
  let low = Math.log(1e-12);
  let high = Math.log(Math.max(1e-12, ...changing.map((one) => one.weight / one.rate)));
  for (let step = 0; step < halvings; step += 1) {
    const middle = (low + high) / 2;
    if (spent(Math.exp(middle)) > checks) low = middle;
    else high = middle;
  }
  return meanOf(products, (product) => {
    if (product.rate === 0) return 1;
    const x = spanAt(Math.exp(high), product);
    return x === Infinity ? 0 : -Math.expm1(-x) / x;
  });
}

/** Solves 1 - e^(-x)(1 + x) = gain for x; Infinity if there is no solution. */
function inverseGain(gain: number): number {
  if (gain >= 1) return Infinity;
  // Newton's method from the side on which every step comes nearer: convex up to 1, concave beyond.
  let x =
    gain < 1 - 2 / Math.E ? Math.min(1, Math.sqrt(6 * gain)) : Math.max(1, -Math.log1p(-gain));
  for (let step = 0; step < 50; step += 1) {
    const move = (gain + Math.expm1(-x) + x * Math.exp(-x)) / (x * Math.exp(-x));
    x += move;
    if (Math.abs(move) < 1e-9 * x) break;
  }
  return x;
}

/** The measured time in which a product has one content. */
interface Stay {
  /** Weight times days. */
  gain: number;
  /** It begins before the measured time, and so may be seen before it. */
  isEarly: boolean;
}

/**
 * No policy is above it, whatever happens. The copy is right only while it holds the present content,
 * and it holds a content only after a check of it, or from the start. So each stay but the first of a
 * product costs at least one check, and gains its length at most; stays of equal content are one. What
 * begins in the measured time is checked in it: with the checks of this time and those of the whole run
 * as limits, taking the largest gains first is best. Deleted products are dropped for nothing.
 */
function clairvoyant(world: World, products: readonly Product[], callsPerDay: number): number {
  const { startsAt, measuredFrom, endsAt, dayStart } = world;
  const { free, stays } = toStays(world);
  const checksSince = (from: number) =>
    batchSize * callsPerDay * (Math.ceil(endsAt - dayStart) - Math.floor(from - dayStart));
  let left = checksSince(startsAt);
  let leftLate = checksSince(measuredFrom);
  let fresh = free;
  for (const { gain, isEarly } of stays.toSorted((a, b) => b.gain - a.gain)) {
    if (left < 1) break;
    if (!isEarly && leftLate < 1) continue;
    fresh += gain;
    left -= 1;
    if (!isEarly) leftLate -= 1;
  }
  const live = products.reduce((sum, { weight, share }) => sum + weight * share, 0);
  return Math.min(1, fresh / (live * (endsAt - measuredFrom)));
}

/** `free`: what needs no check, because the copy begins with it. */
function toStays(world: World): { free: number; stays: Stay[] } {
  const { events, measuredFrom, endsAt } = world;
  const since = Float64Array.from(world.liveAtStart, (live) => (live ? world.startsAt : NaN));
  const content = Int32Array.from(world.contentAtStart);
  const stays = new Map<string, Stay>();
  let free = 0;
  const end = (item: number, to: number) => {
    const from = since[item] ?? NaN;
    const gain = (world.weight[item] ?? 0) * (to - Math.max(from, measuredFrom));
    if (!(gain > 0)) return;
    if (world.liveAtStart[item] && content[item] === world.contentAtStart[item]) {
      free += gain;
      return;
    }
    const key = `${item} ${content[item]}`;
    const isEarly = from < measuredFrom;
    const old = stays.get(key);
    stays.set(key, { gain: gain + (old?.gain ?? 0), isEarly: isEarly || (old?.isEarly ?? false) });
  };
  for (const [index, item] of events.item.entries()) {
    const at = events.at[index] ?? 0;
    end(item, at);
    const isGone = events.kind[index] === deletion;
    since[item] = isGone ? NaN : at;
    if (!isGone) content[item] = events.content[index] ?? 0;
  }
  for (const item of since.keys()) end(item, endsAt);
  return { free, stays: [...stays.values()] };
}

function liveShare(world: World): Float64Array {
  const { events, measuredFrom, endsAt } = world;
  const share = new Float64Array(world.shopOf.length);
  const since = Float64Array.from(world.liveAtStart, (live) => (live ? measuredFrom : NaN));
  const end = (item: number, at: number) => {
    const from = since[item] ?? NaN;
    if (!(at > from)) return;
    share[item] = (share[item] ?? 0) + (at - from) / (endsAt - measuredFrom);
  };
  for (const [index, item] of events.item.entries()) {
    const kind = events.kind[index];
    const at = Math.max(measuredFrom, events.at[index] ?? 0);
    if (kind === addition && Number.isNaN(since[item])) since[item] = at;
    if (kind !== deletion) continue;
    end(item, at);
    since[item] = NaN;
  }
  for (const item of share.keys()) end(item, endsAt);
  return share;
}

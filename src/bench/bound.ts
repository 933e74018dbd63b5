import { ADD, DELETE, type World } from "./world.ts";

export interface Bounds {
  /**
   * No change is signalled: each product is checked as often as is best for its true rate, at equal
   * intervals (Cho and Garcia-Molina).
   */
  unsignalled: number;
  /** Every change is known at once, and costs one check. */
  signalled: number;
}

/** Items that one call can show. */
const FULL = 50;
const HALVINGS = 60;

/**
 * The highest freshness that so many calls a day could reach if every call showed 50 products of our
 * choice, of whatever shops, and the true mean change rates were known from the start. Changes are
 * random (Poisson); deleted and new products are noticed at once. With r_i checks of product i a day
 * and sum r_i = 50 x calls it is the maximum of the weighted mean of (r_i/rate_i)(1 - e^(-rate_i/r_i)),
 * or, signalled, of min(1, r_i/rate_i).
 */
export function freshnessBounds(world: World, callsPerDay: number): Bounds {
  const share = liveShare(world);
  const items = [...share.keys()].filter((item) => (share[item] ?? 0) > 0);
  const products = items.map((item) => ({
    weight: world.weight[item] ?? 0,
    rate: world.trueRate[item] ?? 0,
    share: share[item] ?? 0,
  }));
  const checks = FULL * callsPerDay;
  return { unsignalled: unsignalled(products, checks), signalled: signalled(products, checks) };
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
  for (let step = 0; step < HALVINGS; step += 1) {
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

/** Checks go first to products where one keeps the most weight fresh for the longest time. */
function signalled(products: readonly Product[], checks: number): number {
  let left = checks;
  const checked = new Map<Product, number>();
  for (const product of products.toSorted((a, b) => b.weight / b.rate - a.weight / a.rate)) {
    const needed = product.share * product.rate;
    const part = needed === 0 ? 1 : Math.min(1, left / needed);
    checked.set(product, part);
    left -= part * needed;
  }
  return meanOf(products, (product) => checked.get(product) ?? 0);
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
    if (kind === ADD && Number.isNaN(since[item])) since[item] = at;
    if (kind !== DELETE) continue;
    end(item, at);
    since[item] = NaN;
  }
  for (const item of share.keys()) end(item, endsAt);
  return share;
}

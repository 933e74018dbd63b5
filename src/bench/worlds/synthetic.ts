import { createLife, type LifeRules } from "./lives.ts";
import { createRandom, type Random } from "../../lib/random.ts";
import {
  createStates,
  addition,
  deletion,
  edit,
  silentEdit,
  toEvents,
  type Happening,
  type World,
} from "./world.ts";

export interface WorldRules extends LifeRules {
  name: string;
  seed: number;
  items: number;
  days: number;
  warmupDays: number;
  importance: "lognormal" | "uniform" | "zipf";
  /** Correlation of log importance and log change rate. */
  correlation: number;
  /** Share of items that some keyword finds. */
  coverage: number;
  /** Share of the products of each earlier keyword that a keyword finds as well. */
  overlap: number;
  keywords: number;
  /** This share of the keywords finds nothing. */
  emptyKeywords: number;
  bumpShare: number;
  meanRate: number;
  birthsPerDay: number;
  deathsPerDay: number;
  /** The chance a day that a shop closes: all its products are deleted in one moment. */
  closingsPerDay: number;
  /** "even": of 25 products. */
  shopSizes: "heavy-tailed" | "one-huge" | "single-items" | "even";
  /** Halfway, every item gets a new rate. */
  ratesChange: boolean;
}

const usual: WorldRules = {
  name: "independent",
  seed: 1,
  items: 30_000,
  days: 36,
  warmupDays: 12,
  importance: "lognormal",
  correlation: 0,
  coverage: 0.9,
  overlap: 0,
  keywords: 20,
  emptyKeywords: 0,
  bumpShare: 1,
  meanRate: 0.5,
  birthsPerDay: 0.001,
  deathsPerDay: 0.001,
  closingsPerDay: 0,
  shopSizes: "heavy-tailed",
  ratesChange: false,
  attributes: [],
  bursts: false,
};

/** Days since the epoch: a moment at which `modified` is a plausible one. */
const firstDay = 20_000;
const sigmaShop = 0.8;
const sigmaItem = 1.4;
const sigmaWeight = 1.5;
const fastest = 48;

/** About how many products a keyword finds. */
const perKeyword = 500;

/** Size and seed of a world. */
export type Scale = Pick<WorldRules, "items" | "keywords" | "days" | "warmupDays" | "seed">;

/** With as many keywords as such a world needs; the first third of its days is not counted. */
export function toScale(size: Pick<WorldRules, "items" | "days" | "seed">): Scale {
  const keywords = Math.max(2, Math.round(size.items / perKeyword));
  return { ...size, keywords, warmupDays: Math.floor(size.days / 3) };
}

/**
 * A world in which items change at rates of their own, heavy-tailed, at random moments; with the usual rules where none
 * are given.
 */
export function createSyntheticWorld(given: Partial<WorldRules>): World {
  const rules = { ...usual, ...given };
  const random = createRandom(rules.seed);
  const total = Math.round(rules.items * (1 + rules.birthsPerDay * rules.days));
  const { shopOf, shops } = assignShops(rules, total, random);
  const shopFactor = Float64Array.from({ length: shops }, () =>
    lognormal(sigmaShop, random.normal()),
  );
  const weight = new Float64Array(total);
  const rate = new Float64Array(total);
  const later = new Float64Array(total);
  const rateOf = (item: number, z: number) =>
    Math.min(
      fastest,
      rules.meanRate * (shopFactor[shopOf[item] ?? 0] ?? 1) * lognormal(sigmaItem, z),
    );
  for (let item = 0; item < total; item += 1) {
    const z = random.normal();
    const own = Math.sqrt(1 - rules.correlation ** 2);
    weight[item] = lognormal(sigmaWeight, rules.correlation * z + own * random.normal());
    rate[item] = rateOf(item, z);
    later[item] = rules.ratesChange ? rateOf(item, random.normal()) : (rate[item] ?? 0);
  }
  const keywordOf = assignKeywords(rules, total, random);
  const keywordsOf = addOverlap(rules, keywordOf, createRandom(rules.seed + 2));
  const states = createStates();
  // With randomness of its own, so that the other worlds stay the same.
  const life = createLife(rules, shops, rules.days, createRandom(rules.seed + 1));
  const closesAt = closings(rules, shops, createRandom(rules.seed + 3));
  const first = Array.from({ length: total }, () => life.start(random));
  const liveAtStart = new Uint8Array(total).fill(1, 0, rules.items);
  const happenings: Happening[] = [];
  for (let item = 0; item < total; item += 1) {
    const born =
      item < rules.items ? 0 : ((item - rules.items) / (total - rules.items)) * rules.days;
    const shop = shopOf[item] ?? 0;
    const closes = closesAt[shop] ?? Infinity;
    const dies = Math.min(
      born + random.exponential(rules.deathsPerDay),
      closes > born ? closes : Infinity,
    );
    let state = first[item] ?? life.start(random);
    if (item >= rules.items) {
      const content = states.toContent(state);
      happenings.push({ at: firstDay + born, item, kind: addition, content });
    }
    if (dies < rules.days)
      happenings.push({ at: firstDay + dies, item, kind: deletion, content: 0 });
    const end = Math.min(dies, rules.days);
    const half = rules.days / 2;
    const spans: [number, number, number][] = [
      [born, Math.min(end, half), rate[item] ?? 0],
      [Math.max(born, half), end, later[item] ?? 0],
    ];
    for (const [from, to, r] of spans) {
      // Bursts by thinning: events at the highest burst rate, kept by chance at other moments.
      const wait = () => random.exponential(r * life.factor(item, state) * life.mostBurst);
      for (let at = from + wait(); at < to; at += wait()) {
        if (rules.bursts && random.next() * life.mostBurst > life.burst(shop, at)) continue;
        state = life.next(state, random);
        const kind = random.next() < rules.bumpShare ? edit : silentEdit;
        happenings.push({ at: firstDay + at, item, kind, content: states.toContent(state) });
      }
    }
  }
  return {
    name: rules.name,
    startsAt: firstDay,
    endsAt: firstDay + rules.days,
    measuredFrom: firstDay + rules.warmupDays,
    timezone: "UTC",
    dayStart: 0,
    shopOf,
    weight: toImportance(rules, weight),
    keywordsOf,
    trueRate: rules.attributes.length > 0 ? realisedRates(happenings, total, rules) : rate,
    rateIn: (item, content) => (rate[item] ?? 0) * life.factor(item, states.of(content)),
    states,
    categoryOf: life.categoryOf,
    trueBumpShare: rules.bumpShare,
    trueLossRate: new Float64Array(shops).fill(rules.deathsPerDay + rules.closingsPerDay),
    shops,
    keywords: rules.keywords,
    ordered: true,
    liveAtStart,
    modifiedAtStart: Float64Array.from({ length: total }, () => firstDay - random.exponential(0.1)),
    contentAtStart: Int32Array.from(first, (state) => states.toContent(state)),
    events: toEvents(happenings),
  };
}

/** When each shop closes; Infinity: never. */
function closings(
  { closingsPerDay }: WorldRules,
  shops: number,
  random: Random,
): readonly number[] {
  return Array.from({ length: shops }, () =>
    closingsPerDay > 0 ? random.exponential(closingsPerDay) : Infinity,
  );
}

/** Zipf: the product of rank k weighs 1/k. */
function toImportance({ importance }: WorldRules, weight: Float64Array): Float64Array {
  if (importance === "lognormal") return weight;
  if (importance === "uniform") return weight.map(() => 1);
  const ranked = [...weight.keys()].sort((a, b) => (weight[b] ?? 0) - (weight[a] ?? 0));
  const byRank = new Float64Array(weight.length);
  for (const [rank, item] of ranked.entries()) byRank[item] = 1 / (rank + 1);
  return byRank;
}

/** If rates depend on the items' states, the true rate is the mean of what happened. */
function realisedRates(
  happenings: readonly Happening[],
  total: number,
  { days }: WorldRules,
): Float64Array {
  const edits = new Float64Array(total);
  const liveDays = new Float64Array(total).fill(days);
  for (const { at, item, kind } of happenings) {
    if (kind === addition) liveDays[item] = (liveDays[item] ?? 0) - (at - firstDay);
    else if (kind === deletion) liveDays[item] = (liveDays[item] ?? 0) - (firstDay + days - at);
    else edits[item] = (edits[item] ?? 0) + 1;
  }
  return edits.map((count, item) => count / Math.max(1e-3, liveDays[item] ?? 0));
}

/** Mean 1. */
function lognormal(sigma: number, z: number): number {
  return Math.exp(sigma * z - sigma ** 2 / 2);
}

function assignShops(
  rules: WorldRules,
  total: number,
  random: Random,
): { shopOf: Int32Array; shops: number } {
  const shopOf = new Int32Array(total);
  const huge = rules.shopSizes === "one-huge" ? Math.round(rules.items * 0.625) : 0;
  const order = Int32Array.from({ length: total }, (_, i) => i);
  for (let i = total - 1; i > 0; i -= 1) {
    const j = random.integer(0, i);
    const kept = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = kept;
  }
  let shops = 0;
  for (let next = 0; next < total; shops += 1) {
    const sizes = {
      "heavy-tailed": () => Math.min(2000, Math.ceil(random.pareto(1.1))),
      "one-huge": () => (shops === 0 ? huge : sizes["heavy-tailed"]()),
      "single-items": () => 1,
      even: () => 25,
    };
    const size = sizes[rules.shopSizes]();
    for (const item of order.subarray(next, next + size)) shopOf[item] = shops;
    next += size;
  }
  return { shopOf, shops };
}

/** Each keyword finds items of its own, earlier keywords more than later ones. */
function assignKeywords(rules: WorldRules, total: number, random: Random): Int32Array {
  const used = Math.max(1, Math.round(rules.keywords * (1 - rules.emptyKeywords)));
  const sizes = Array.from({ length: used }, (_, k) => 1 / (k + 3));
  const sum = sizes.reduce((a, b) => a + b, 0);
  const draw = () => {
    let left = random.next() * sum;
    const k = sizes.findIndex((size) => (left -= size) < 0);
    return k < 0 ? used - 1 : k;
  };
  return Int32Array.from({ length: total }, () => (random.next() < rules.coverage ? draw() : -1));
}

/** Each keyword also finds a share of the products that earlier ones show. */
function addOverlap(
  { overlap, keywords }: WorldRules,
  keywordOf: Int32Array,
  random: Random,
): number[][] {
  return Array.from(keywordOf, (first) => {
    if (first < 0) return [];
    const finders = [first];
    for (let k = first + 1; k < keywords; k += 1) if (random.next() < overlap) finders.push(k);
    return finders;
  });
}

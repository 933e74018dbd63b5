import type { Random } from "../../lib/random.ts";
import type { State } from "./world.ts";

export type Attribute = "stock" | "price" | "category";

/** What the change rates of a synthetic world depend on besides chance. */
export interface LifeRules {
  /**
   * Empty: all products are alike. Otherwise they differ in stock, price and category, and their rates
   * depend on these, or on nothing that can be seen.
   */
  attributes: readonly (Attribute | "none")[];
  /** On some days a shop's products change many times as often. */
  bursts: boolean;
}

const categories = ["cards", "toys", "books", "tea", "cups", "pens"] as const;
/** Factors of the mean rate, by category. */
const categoryFactors = [3, 1.5, 1, 0.5, 0.2, 0.1];
/** Factors of the mean rate, by stock level: sold out, the last ones, some, many. */
const levels = [
  { stock: 0, factor: 0.15 },
  { stock: 1, factor: 2 },
  { stock: 4, factor: 1.2 },
  { stock: 30, factor: 0.6 },
];
/** Factors of the mean rate, by the price at the start. */
const prices = [
  { price: 80, factor: 0.2 },
  { price: 300, factor: 0.6 },
  { price: 1200, factor: 1.2 },
  { price: 5000, factor: 2 },
];
const burstDays = 1;
const burstEveryDays = 20;
const burstFactor = 12;
/** The factor outside bursts, which keeps the mean. */
const calmFactor =
  (1 - (burstFactor * burstDays) / burstEveryDays) / (1 - burstDays / burstEveryDays);

export function createLife(rules: LifeRules, shops: number, days: number, random: Random) {
  const bursts = Array.from({ length: rules.bursts ? shops : 0 }, () => {
    const starts: number[] = [];
    const gap = () => random.exponential(1 / (burstEveryDays - burstDays));
    for (let at = gap(); at < days; at += burstDays + gap()) starts.push(at);
    return starts;
  });
  const differ = rules.attributes.length > 0;
  const category = (item: number) => (Math.imul(item + 1, 0x9e3779b1) >>> 0) % categories.length;
  const factors: Record<Attribute, (item: number, state: State) => number | undefined> = {
    stock: (_, { stock }) => levels.find((one) => one.stock === stock)?.factor,
    price: (_, { price }) => prices.findLast((one) => one.price <= price)?.factor,
    category: (item) => categoryFactors[category(item)],
  };
  return {
    /** Empty: none. */
    categoryOf: (item: number): string => (differ ? (categories[category(item)] ?? "") : ""),
    start: (r: Random): State =>
      differ
        ? { price: r.pick(prices).price, stock: r.pick(levels).stock }
        : { price: 1000, stock: 1 },
    next({ price, stock }: State, r: Random): State {
      if (!differ || r.next() < 0.4) return { price: price + 1, stock };
      const others = levels.filter((level) => level.stock !== stock);
      return { price, stock: r.pick(others).stock };
    },
    /** Multiplies the item's own rate. */
    factor: (item: number, state: State) =>
      rules.attributes.reduce(
        (factor, one) => factor * (one === "none" ? 1 : (factors[one](item, state) ?? 1)),
        1,
      ),
    /** The factor of a shop at a moment (days from the start); at most `mostBurst`. */
    burst(shop: number, at: number): number {
      if (!rules.bursts) return 1;
      const isOn = bursts[shop]?.some((start) => at >= start && at < start + burstDays);
      return isOn ? burstFactor : calmFactor;
    },
    mostBurst: rules.bursts ? burstFactor : 1,
  };
}

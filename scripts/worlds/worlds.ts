import {
  createSyntheticWorld,
  toScale,
  type WorldRules,
} from "../../src/bench/worlds/synthetic.ts";
import type { World } from "../../src/bench/worlds/world.ts";

/** Worlds in which change rates depend on what a product shows, and worlds in which they do not. */
const telling: readonly Partial<WorldRules>[] = [
  { name: "stock, category", attributes: ["stock", "category"] },
  { name: "stock, category; no bumps", attributes: ["stock", "category"], bumpShare: 0 },
  {
    name: "price; huge shop, 80% bump",
    attributes: ["price"],
    shopSizes: "one-huge",
    bumpShare: 0.8,
  },
  {
    name: "stock; shops of one, 1% deleted",
    attributes: ["stock"],
    shopSizes: "single-items",
    bumpShare: 0,
    birthsPerDay: 0.01,
    deathsPerDay: 0.01,
  },
  {
    name: "all three; bursts, 90% bump",
    attributes: ["stock", "price", "category"],
    bursts: true,
    bumpShare: 0.9,
    correlation: 0.6,
  },
];
const untelling: readonly Partial<WorldRules>[] = [
  { name: "plain" },
  { name: "no bumps", bumpShare: 0 },
  { name: "bursts, 80% bump", bursts: true, bumpShare: 0.8 },
  {
    name: "huge shop, 2% deleted",
    shopSizes: "one-huge",
    birthsPerDay: 0.02,
    deathsPerDay: 0.02,
  },
  {
    name: "shops of one, new rates at half",
    shopSizes: "single-items",
    ratesChange: true,
    correlation: 0.6,
  },
  {
    name: "8 keywords find the same, 2% deleted",
    keywords: 8,
    overlap: 0.6,
    coverage: 1,
    birthsPerDay: 0.02,
    deathsPerDay: 0.02,
  },
];

export interface ListedWorld {
  name: string;
  /** Whether change rates depend on stock, price or category. */
  isTelling: boolean;
  create(size: Parameters<typeof toScale>[0], importance: WorldRules["importance"]): World;
}

/** Five worlds in which traits tell and six in which they do not, all of products that differ in stock, price and category. */
export const listedWorlds: readonly ListedWorld[] = [
  ...telling.map((rules) => toListed(rules, true)),
  ...untelling.map((rules) => toListed({ ...rules, attributes: ["none"] }, false)),
];

function toListed(rules: Partial<WorldRules>, isTelling: boolean): ListedWorld {
  const { name = "" } = rules;
  return {
    name,
    isTelling,
    create: (size, importance) => createSyntheticWorld({ ...toScale(size), ...rules, importance }),
  };
}

import { collect } from "../../lib/collect.ts";

/**
 * What is known of a product before any check of its changes, and how the mean rate of its shop is to be
 * multiplied for it: one factor for each trait, Gamma distributed, learned from the changes seen of all products that
 * have it (a Gamma-Poisson regression).
 */

export interface Described {
  stock: number;
  price: number;
  categories: readonly string[];
}

/** Of the products that have just these traits. */
export interface TraitEvidence {
  traits: readonly string[];
  /** Changes seen; or deletions, for the factors of losses. */
  seen: number;
  /** As many as the mean rates of their shops would have made in the same days. */
  expected: number;
}

/** Factors by trait; 1 for a trait that is not among them. */
export type Factors = ReadonlyMap<string, number>;

/** A trait of which so many changes were expected is believed half, at the least. */
const leastDoubt = 5;
const mostDoubt = 1e4;
/** No product is taken to change so many times as often as the mean of its shop, or as seldom. */
const most = 30;

const stockLevels = [
  { below: 1, name: "sold out" },
  { below: 2, name: "in stock 1" },
  { below: 5, name: "in stock 2 to 4" },
  { below: 20, name: "in stock 5 to 19" },
  { below: Infinity, name: "in stock 20 and more" },
];
const maxCategoryChars = 40;

export function traitsOf({ stock, price, categories }: Described): string[] {
  const level = stockLevels.find(({ below }) => stock < below);
  // Four times the price is another class.
  const floor = 4 ** Math.floor(Math.log2(Math.max(1, price)) / 2);
  const [category] = categories;
  return [
    ...(level ? [level.name] : []),
    `price ${floor} and more`,
    ...(category ? [`category ${category.slice(0, maxCategoryChars).toWellFormed()}`] : []),
  ];
}

const shownFor = [
  { days: 1, name: "shown for less than 1 day" },
  { days: 3, name: "shown for 1 to 3 days" },
  { days: 7, name: "shown for 3 to 7 days" },
  { days: 14, name: "shown for 7 to 14 days" },
  { days: 30, name: "shown for 14 to 30 days" },
  { days: 60, name: "shown for 30 to 60 days" },
];
const longShown = "shown for 60 days and more";
const deletedBefore = ["deletions: none", "deletions: 1", "deletions: 2"];
const oftenDeleted = "deletions: 3 and more";

/** What a deletion is expected by. `shownDays`: since it is shown, after its last deletion; null: unknown. */
export function lossTraitsOf(
  product: Described,
  { shownDays, deletions }: { shownDays: number | null; deletions: number },
): string[] {
  const span =
    shownDays === null
      ? undefined
      : (shownFor.find(({ days }) => shownDays < days)?.name ?? longShown);
  return [...traitsOf(product), deletedBefore[deletions] ?? oftenDeleted, ...(span ? [span] : [])];
}

const productOf = (traits: readonly string[], factors: Factors) =>
  traits.reduce((product, trait) => product * (factors.get(trait) ?? 1), 1);

/** Its factor belongs to every product: by it, the mean factor is 1, so that only shops have a level. */
const everyProduct = "every product";

/** Multiplies the mean rate of its shop. */
export function rateFactor(traits: readonly string[], factors: Factors): number {
  const factor = productOf([everyProduct, ...traits], factors);
  return Math.min(most, Math.max(1 / most, factor));
}

/** More rounds hardly change the factors. */
const rounds = 100;
const nearEnough = 1e-4;

type ByTrait = ReadonlyMap<string, readonly TraitEvidence[]>;

/** The most likely factors, believed by how much traits differ beyond chance. */
export function fitFactors(evidence: readonly TraitEvidence[]): Map<string, number> {
  const withTrait = collect(evidence, (one) => one.traits);
  const dispersion = dispersionOf(evidence, fit(withTrait, new Map()));
  const factors = fit(withTrait, doubtOfFamilies(withTrait, dispersion));
  let plain = 0;
  let multiplied = 0;
  for (const { traits, expected } of evidence) {
    plain += expected;
    multiplied += expected * productOf(traits, factors);
  }
  if (multiplied > 0) factors.set(everyProduct, plain / multiplied);
  return factors;
}

/**
 * One factor after another, each by what all others lead one to expect, until they stay. Traits that products have
 * together (of a shop that sells but one category, say) share what cannot be told apart.
 */
function fit(withTrait: ByTrait, doubts: ReadonlyMap<string, number>): Map<string, number> {
  const factors = new Map([...withTrait.keys()].map((trait) => [trait, 1]));
  for (let round = 0; round < rounds; round += 1) {
    let moved = 0;
    for (const [trait, rows] of withTrait) {
      const old = factors.get(trait) ?? 1;
      const doubt = doubts.get(familyOf(trait)) ?? leastDoubt;
      let seen = doubt;
      let expected = doubt;
      for (const row of rows) {
        seen += row.seen;
        expected += (row.expected * productOf(row.traits, factors)) / old;
      }
      factors.set(trait, seen / expected);
      moved = Math.max(moved, Math.abs(Math.log(seen / expected / old)));
    }
    if (moved < nearEnough) break;
  }
  return factors;
}

/**
 * How many times as much as independent changes the counts scatter around the factors: products of the same traits
 * differ, and one that changes often counts many times.
 */
function dispersionOf(evidence: readonly TraitEvidence[], factors: Factors): number {
  const free = evidence.length - factors.size;
  if (free <= 0) return 1;
  let squares = 0;
  let sum = 0;
  for (const { traits, seen, expected } of evidence) {
    const mean = expected * productOf(traits, factors);
    squares += (seen - mean) ** 2;
    sum += mean;
  }
  return sum > 0 ? Math.max(1, ((squares / sum) * evidence.length) / free) : 1;
}

const families = ["price", "category", "shown", "deletions"];

/** Traits of which a product has one: its price classes, its categories…; stock levels have no word in common. */
function familyOf(trait: string): string {
  return families.find((family) => trait.startsWith(family)) ?? "stock";
}

/**
 * How much is expected of a trait before it is believed half: the more, the less the traits of its family differ
 * beyond what chance makes of their counts (the moment estimate of DerSimonian and Laird, `dispersion / tau²`). Where
 * traits tell nothing, none is believed.
 */
function doubtOfFamilies(withTrait: ByTrait, dispersion: number): Map<string, number> {
  const counted = [...withTrait].map(([trait, rows]) => ({
    family: familyOf(trait),
    seen: rows.reduce((sum, row) => sum + row.seen, 0),
    expected: rows.reduce((sum, row) => sum + row.expected, 0),
  }));
  const known = counted.filter(({ expected }) => expected > 0);
  const members = collect(known, ({ family }) => [family]);
  return new Map([...members].map(([family, traits]) => [family, toDoubt(traits, dispersion)]));
}

/** So many standard deviations above its mean is what chance may make of the counts. */
const chanceDeviations = 1.5;

function toDoubt(
  traits: readonly { seen: number; expected: number }[],
  dispersion: number,
): number {
  const sum = (of: (trait: { seen: number; expected: number }) => number) =>
    traits.reduce((all, trait) => all + of(trait), 0);
  const all = sum(({ expected }) => expected);
  const level = sum(({ seen }) => seen) / all;
  if (!(level > 0)) return mostDoubt;
  const weight = level * (all - sum(({ expected }) => expected ** 2) / all);
  const differ = sum(({ seen, expected }) => (seen - level * expected) ** 2 / (level * expected));
  const free = traits.length - 1;
  const byChance = dispersion * (free + chanceDeviations * Math.sqrt(2 * free));
  const variance = Math.max(0, differ - byChance) / weight;
  const doubt = variance > 0 ? dispersion / variance : mostDoubt;
  return Math.min(mostDoubt, Math.max(leastDoubt, doubt));
}

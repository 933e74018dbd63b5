/**
 * What is known of a product before any check of its changes, and how the mean rate of its shop is to be
 * multiplied for it: one factor for each trait, Gamma distributed, learned from the changes seen and those
 * that all other factors lead one to expect (a Gamma-Poisson regression, one coordinate at a time).
 */

export interface Described {
  stock: number;
  price: number;
  categories: readonly string[];
}

/** Of products with a trait: changes seen, and changes expected without the trait's own factor. */
export interface TraitCount {
  changes: number;
  expected: number;
}

export interface TraitEvidence extends TraitCount {
  trait: string;
}

export type TraitCounts = ReadonlyMap<string, TraitCount>;

/** A trait of which so many changes were expected is believed half. */
const DOUBT = 5;
/** No product is taken to change so many times as often as the mean of its shop, or as seldom. */
const MOST = 30;

const stockLevels = [
  { below: 1, name: "sold out" },
  { below: 2, name: "in stock 1" },
  { below: 5, name: "in stock 2 to 4" },
  { below: 20, name: "in stock 5 to 19" },
  { below: Infinity, name: "in stock 20 and more" },
];
const MAX_CATEGORY_CHARS = 40;

export function traitsOf({ stock, price, categories }: Described): string[] {
  const level = stockLevels.find(({ below }) => stock < below);
  // Four times the price is another class.
  const floor = 4 ** Math.floor(Math.log2(Math.max(1, price)) / 2);
  const [category] = categories;
  return [
    ...(level ? [level.name] : []),
    `price ${floor} and more`,
    ...(category ? [`category ${category.slice(0, MAX_CATEGORY_CHARS)}`] : []),
  ];
}

function factorOf(trait: string, counts: TraitCounts): number {
  const { changes, expected } = counts.get(trait) ?? { changes: 0, expected: 0 };
  return (changes + DOUBT) / (expected + DOUBT);
}

const productOf = (traits: readonly string[], counts: TraitCounts) =>
  traits.reduce((factor, trait) => factor * factorOf(trait, counts), 1);

/** Multiplies the mean rate of its shop. */
export function rateFactor(traits: readonly string[], counts: TraitCounts): number {
  return Math.min(MOST, Math.max(1 / MOST, productOf(traits, counts)));
}

/**
 * What a product adds to the counts of its traits. `atMean`: the changes that the mean rate of its shop would
 * have made.
 */
export function countTraits(
  traits: readonly string[],
  { changes, atMean }: { changes: number; atMean: number },
  counts: TraitCounts,
): TraitEvidence[] {
  const expected = atMean * productOf(traits, counts);
  return traits.map((trait) => ({
    trait,
    changes,
    expected: expected / factorOf(trait, counts),
  }));
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../lib/random.ts";
import { fitFactors, lossTraitsOf, rateFactor, traitsOf, type TraitEvidence } from "./traits.ts";

describe("traits of a product", () => {
  it("are its stock level, price class and category", () => {
    const product = {
      stock: 1,
      price: 1000,
      categories: ["cards", "toys"],
    };
    expect(traitsOf(product)).toEqual(["in stock 1", "price 256 and more", "category cards"]);
    expect(traitsOf({ ...product, stock: 0, price: 1024, categories: [] })).toEqual([
      "sold out",
      "price 1024 and more",
    ]);
  });

  it("are texts that Postgres takes, also where a long category is cut within an emoji", () => {
    for (const begin of ["", "a"]) {
      const product = { stock: 1, price: 1000, categories: [begin + "🎀".repeat(40)] };
      expect(traitsOf(product).every((trait) => trait.isWellFormed())).toBe(true);
    }
  });

  it("change nothing before there is evidence", () => {
    expect(rateFactor(["sold out"], fitFactors([]))).toBe(1);
  });

  /** Evidence of a world in which traits multiply the rate by `truth`, as much as `products` says of each kind. */
  function evidenceOf(truth: Record<string, number>, products: Record<string, number>) {
    return Object.entries(products).map(([kind, expected]): TraitEvidence => {
      const traits = kind.split(", ");
      const factor = traits.reduce((product, trait) => product * (truth[trait] ?? 1), 1);
      return { traits, seen: expected * factor, expected };
    });
  }

  it("learn how often products with them change, each apart from the others", () => {
    const truth = { "sold out": 0.2, "in stock 1": 2, cards: 1.5, tea: 0.5 };
    // Cards are in stock more often: what is due to the stock must not be put down to the category.
    const evidence = evidenceOf(truth, {
      "sold out, cards": 2000,
      "sold out, tea": 9000,
      "in stock 1, cards": 9000,
      "in stock 1, tea": 2000,
    });
    const factors = fitFactors(evidence);
    const factorOf = (...traits: string[]) => rateFactor(traits, factors);
    expect(factorOf("in stock 1", "tea") / factorOf("sold out", "tea")).toBeCloseTo(10, 0);
    expect(factorOf("in stock 1", "cards") / factorOf("in stock 1", "tea")).toBeCloseTo(3, 1);
  });

  it("stay near 1 together where all products share one, whatever the others are", () => {
    const truth = { "sold out": 0.3, "in stock 1": 2, cheap: 2, dear: 0.5 };
    const products = {
      "sold out, cheap, cards": 6000,
      "sold out, dear, cards": 300,
      "in stock 1, cheap, cards": 200,
      "in stock 1, dear, cards": 3000,
    };
    const evidence = evidenceOf(truth, products);
    const factors = fitFactors(evidence);
    const mean = evidence.reduce((sum, { traits, expected }) => {
      return sum + expected * rateFactor(traits, factors);
    }, 0);
    expect(mean / evidence.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(1, 6);
    for (const trait of ["cards", "cheap", "dear", "sold out", "in stock 1"]) {
      expect(factors.get(trait)).toBeGreaterThan(0.1);
      expect(factors.get(trait)).toBeLessThan(10);
    }
  });

  it("predict the changes of every kind that much is known of, whatever kinds there are", () => {
    const kinds = fc.dictionary(
      fc
        .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("x", "y"), fc.constantFrom("p", "q"))
        .map((all) => all.join(", ")),
      fc.double({ min: 1e6, max: 1e7, noNaN: true }),
      { minKeys: 1 },
    );
    const rates = fc.record(
      Object.fromEntries(
        ["a", "b", "c", "x", "y", "p", "q"].map((trait) => [
          trait,
          // Products of three are less than 30 times as large as others: beyond that no factor goes.
          fc.double({ min: 0.6, max: 1.7, noNaN: true }),
        ]),
      ),
    );
    fc.assert(
      fc.property(kinds, rates, (products, truth) => {
        const evidence = evidenceOf(truth, products);
        const factors = fitFactors(evidence);
        const level =
          evidence.reduce((sum, { seen }) => sum + seen, 0) /
          evidence.reduce((sum, { expected }) => sum + expected, 0);
        for (const { traits, seen, expected } of evidence) {
          const predicted = expected * level * rateFactor(traits, factors);
          expect(Math.abs(Math.log(predicted / seen))).toBeLessThan(0.1);
        }
      }),
    );
  });

  it("are none where traits tell nothing, and those of the stock alone where only the stock tells", () => {
    const random = createRandom(4);
    const poisson = (mean: number) => {
      let count = 0;
      for (let at = random.exponential(1); at < mean; at += random.exponential(1)) count += 1;
      return count;
    };
    const evidenceAt = (rates: readonly number[]) =>
      Array.from({ length: 60 }, (_, i): TraitEvidence => {
        const traits = [`in stock ${i % 3}`, `price ${i % 5}`, `category ${i % 4}`];
        return { traits, seen: poisson(3 * (rates[i % 3] ?? NaN)), expected: 3 };
      });
    const meanError = (factors: ReadonlyMap<string, number>) =>
      [...factors.values()].reduce((sum, factor) => sum + Math.abs(Math.log(factor)), 0) /
      factors.size;
    // Chance alone moves the count of a price class by a sixth.
    expect(meanError(fitFactors(evidenceAt([1, 1, 1])))).toBeLessThan(0.05);
    const factors = fitFactors(evidenceAt([0.2, 1, 3]));
    const factorOf = (trait: string) => factors.get(trait) ?? NaN;
    expect(factorOf("in stock 2") / factorOf("in stock 0")).toBeGreaterThan(8);
    for (const [trait, factor] of factors)
      if (/price|category/.test(trait)) expect(Math.abs(Math.log(factor))).toBeLessThan(0.15);
  });

  it("are not believed because single products change often: their changes count many times", () => {
    const errors: number[] = [];
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandom(seed);
      const evidence = Array.from({ length: 60 }, (_, i): TraitEvidence => {
        const traits = [`in stock ${i % 3}`, `price ${i % 5}`, `category ${i % 4}`];
        // Ten products, one of which changes in nearly all cases.
        const rates = Array.from({ length: 10 }, () => random.exponential(1) ** 3 / 6);
        return { traits, seen: rates.reduce((sum, rate) => sum + rate, 0), expected: 10 };
      });
      const factors = fitFactors(evidence);
      factors.delete("every product");
      for (const factor of factors.values()) errors.push(Math.abs(Math.log(factor)));
    }
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.08);
  });

  it("of losses are believed for each kind alone: where only earlier deletions tell, the stock does not", () => {
    const traitsAt = (deletions: number, stock: number) =>
      lossTraitsOf({ stock, price: 100, categories: [] }, { deletions, shownDays: null });
    const evidence = [0, 1, 2, 3].flatMap((deletions) =>
      [0, 1, 3, 10].map((stock, i): TraitEvidence => {
        const mean = 10 * 5 ** deletions;
        // By less than chance makes of such a count.
        const seen = mean + (i % 2 === 0 ? 0.5 : -0.5) * Math.sqrt(mean);
        return { traits: traitsAt(deletions, stock), seen, expected: 10 };
      }),
    );
    const factors = fitFactors(evidence);
    const factorOf = (deletions: number, stock: number) =>
      rateFactor(traitsAt(deletions, stock), factors);
    for (const stock of [1, 3, 10])
      expect(Math.abs(factorOf(1, stock) / factorOf(1, 0) - 1)).toBeLessThan(0.015);
    expect(factorOf(3, 1) / factorOf(0, 1)).toBeGreaterThan(20);
  });

  it("are worth no more than the evidence for them", () => {
    const few = fitFactors([
      { traits: ["cards"], seen: 3, expected: 1 },
      { traits: ["tea"], seen: 100, expected: 100 },
    ]);
    expect(rateFactor(["cards"], few)).toBeLessThan(1.5);
    const many = fitFactors([
      { traits: ["cards"], seen: 300, expected: 100 },
      { traits: ["tea"], seen: 1e5, expected: 1e5 },
    ]);
    expect(rateFactor(["cards"], many)).toBeGreaterThan(2.5);
  });

  it("hardly ever believes what chance alone makes of traits that tell nothing", () => {
    const random = createRandom(3);
    let believed = 0;
    for (let trial = 0; trial < 200; trial += 1) {
      const evidence = ["sold out", "in stock 1", "in stock 2 to 4", "in stock 5 to 19"].flatMap(
        (level) =>
          ["price 1", "price 4", "price 16", "price 64"].map((price) => ({
            traits: [level, price],
            seen: random.poisson(4),
            expected: 4,
          })),
      );
      const factors = fitFactors(evidence);
      if ([...factors.values()].some((factor) => Math.abs(factor - 1) > 0.1)) believed += 1;
    }
    expect(believed).toBeLessThan(50);
  });
});

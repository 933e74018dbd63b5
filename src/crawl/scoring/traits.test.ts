import { describe, expect, it } from "vitest";
import { countTraits, rateFactor, traitsOf, type TraitCount } from "./traits.ts";

/** Counts as the planner keeps them, with all days of every product seen. */
function learner() {
  const counts = new Map<string, TraitCount>();
  return {
    counts,
    see(traits: readonly string[], { changes, meanRate }: { changes: number; meanRate: number }) {
      for (const { trait, ...more } of countTraits(traits, { changes, atMean: meanRate }, counts)) {
        const old = counts.get(trait) ?? { changes: 0, expected: 0 };
        const keep = old.expected > 1000 ? 0.5 : 1;
        counts.set(trait, {
          changes: keep * (old.changes + more.changes),
          expected: keep * (old.expected + more.expected),
        });
      }
    },
  };
}

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

  it("change nothing before there is evidence", () => {
    expect(rateFactor(["sold out"], new Map())).toBe(1);
  });

  it("learn how often products with them change, each apart from the others", () => {
    const { counts, see } = learner();
    const truth: Record<string, number> = {
      "sold out": 0.2,
      "in stock 1": 2,
      cards: 1.5,
      tea: 0.5,
    };
    // Cards are in stock more often: what is due to the stock must not be put down to the category.
    const products = ["sold out", "in stock 1"].flatMap((level) =>
      ["cards", "tea"].flatMap((category) => {
        const times = (level === "in stock 1") === (category === "cards") ? 3 : 1;
        return Array.from({ length: times }, () => [level, category]);
      }),
    );
    const expectedOf = (traits: readonly string[]) =>
      traits.reduce((rate, trait) => rate * (truth[trait] ?? 1), 1);
    for (let round = 0; round < 3000; round += 1) {
      for (const traits of products) {
        see(traits, { changes: 0.3 * expectedOf(traits), meanRate: 0.3 });
      }
    }
    for (const traits of products) {
      expect(rateFactor(traits, counts) / expectedOf(traits)).toBeCloseTo(1, 1);
    }
  });

  it("are worth no more than the evidence for them", () => {
    const { counts, see } = learner();
    see(["cards"], { changes: 3, meanRate: 1 });
    expect(rateFactor(["cards"], counts)).toBeLessThan(1.5);
    for (let i = 0; i < 100; i += 1) see(["cards"], { changes: 3, meanRate: 1 });
    expect(rateFactor(["cards"], counts)).toBeGreaterThan(2.5);
  });
});

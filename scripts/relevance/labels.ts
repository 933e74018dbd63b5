import { collect } from "../../src/lib/collect.ts";
import type { Concept, SetProduct } from "./concepts.ts";
import { titleKey, type InventedQuery } from "./queries.ts";

/** An attribute of more products than this share is not rare. */
const rareShare = 0.05;
const mostLabels = 300;

/**
 * Grades by what a product is, whatever its title's spelling. If the product's type is known: 3 has
 * everything that is wanted, 2 has the type and lacks one of several attributes, 1 has the type and a
 * rare attribute, or lacks the only wanted one. If only titles are known, words count by their rarity:
 * 3 has all, 2 all but one and three fifths of the weight, 1 half of the weight. If a whole title was
 * typed, only the same title gets 3, and every other product one grade less.
 */
export function createGrader(products: readonly SetProduct[]) {
  const holders = collect(products, ({ concepts }) => concepts.map(({ key }) => key));
  const frequencyOf = (key: string) => holders.get(key)?.length ?? 0;
  const weightOf = (key: string) => Math.log(1 + products.length / (1 + frequencyOf(key)));
  const isRare = (key: string) => frequencyOf(key) <= products.length * rareShare;

  function ofKnownType(wanted: readonly Concept[], has: (key: string) => boolean): number {
    const attributes = wanted.filter(({ role }) => role !== "type");
    const met = attributes.filter(({ key }) => has(key));
    const lacking = attributes.length - met.length;
    if (lacking === 0) return 3;
    if (attributes.length === 1) return attributes[0]?.role === "model" ? 0 : 1;
    if (lacking === 1) return 2;
    return met.some(({ key }) => isRare(key)) ? 1 : 0;
  }

  function byWords(wanted: readonly Concept[], has: (key: string) => boolean): number {
    const met = wanted.filter(({ key }) => has(key));
    if (met.length === wanted.length) return 3;
    const weight = (list: readonly Concept[]) =>
      list.reduce((total, { key }) => total + weightOf(key), 0);
    const share = weight(met) / weight(wanted);
    if (wanted.length - met.length === 1 && share >= 0.6) return 2;
    return share >= 0.5 ? 1 : 0;
  }

  function grade({ wanted, title }: InventedQuery): Map<number, number> {
    const type = wanted.find(({ role }) => role === "type");
    const keys = type ? [type.key] : wanted.map(({ key }) => key);
    const candidates = new Set(keys.flatMap((key) => holders.get(key) ?? []));
    const graded: [itemId: number, grade: number][] = [];
    for (const product of candidates) {
      const own = new Set(product.concepts.map(({ key }) => key));
      const has = (key: string) => own.has(key);
      const plain = type ? ofKnownType(wanted, has) : byWords(wanted, has);
      const given =
        title === undefined || titleKey(product.title) === title ? plain : Math.max(0, plain - 1);
      if (given > 0) graded.push([product.itemId, given]);
    }
    const best = graded.toSorted(([, a], [, b]) => b - a).slice(0, mostLabels);
    return new Map(best);
  }

  return { grade, frequencyOf };
}

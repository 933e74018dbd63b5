import { meanOf } from "../relevance/measures.ts";
import { collect } from "../../src/lib/collect.ts";

/** A product as a judge knows it: by codes that the matcher did not see. */
export interface Judged {
  itemId: number;
  shopId: string;
  price: number;
  codes: readonly string[];
  /** null: in no group. */
  groupId: number | null;
}

export interface GroupQuality {
  /** Products with a code. */
  judged: number;
  /** Pairs of different shops within a group, both with a code; and those of them that share one. */
  pairs: number;
  rightPairs: number;
  /** Pairs of different shops that share a code. */
  truePairs: number;
  /** Mean over the products of precision, recall and F1 of their own group (B-cubed). */
  bCubed: { precision: number; recall: number; f1: number };
  /** Groups with two products or more that have codes; and those whose cheapest is another product than most. */
  judgedGroups: number;
  wrongCheapest: number;
}

/** Compares groups with the codes of their members. */
export function judgeGroups(products: readonly Judged[]): GroupQuality {
  const judged = products.filter(({ codes }) => codes.length > 0);
  const groups = collect(judged, ({ groupId }) => (groupId === null ? [] : [groupId]));
  const sharing = collect(judged, ({ codes }) => codes);
  const pairs = [...groups.values()].flatMap(crossShopPairs);
  const precisions: number[] = [];
  const recalls: number[] = [];
  for (const product of judged) {
    const group = product.groupId === null ? [product] : (groups.get(product.groupId) ?? []);
    const same = new Set(product.codes.flatMap((code) => sharing.get(code) ?? []));
    const right = group.filter((other) => same.has(other)).length;
    precisions.push(right / group.length);
    recalls.push(right / same.size);
  }
  const [precision, recall] = [meanOf(precisions), meanOf(recalls)];
  const several = [...groups.values()].filter((members) => members.length > 1);
  return {
    judged: judged.length,
    pairs: pairs.length,
    rightPairs: pairs.filter(([a, b]) => shareCode(a, b)).length,
    truePairs: pairsByCode(judged).length,
    bCubed: { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) },
    judgedGroups: several.length,
    wrongCheapest: several.filter(hasWrongCheapest).length,
  };
}

/** Pairs of different shops that share a code, the smaller id first. */
export function pairsByCode(products: readonly Judged[]): [a: number, b: number][] {
  const sharing = collect(products, ({ codes }) => codes);
  const pairs = [...sharing.values()].flatMap(crossShopPairs);
  return [
    ...new Map(
      pairs.map(([{ itemId: a }, { itemId: b }]) => [`${a} ${b}`, [a, b] as [number, number]]),
    ).values(),
  ];
}

function shareCode(left: Judged, right: Judged): boolean {
  return left.codes.some((code) => right.codes.includes(code));
}

/** The cheapest shares a code with none of the others, or with fewer than half of them. */
function hasWrongCheapest(members: readonly Judged[]): boolean {
  const [cheapest, ...others] = members.toSorted(
    (a, b) => a.price - b.price || a.itemId - b.itemId,
  );
  if (!cheapest) return false;
  return others.filter((other) => shareCode(cheapest, other)).length * 2 < others.length;
}

function crossShopPairs(members: readonly Judged[]): [Judged, Judged][] {
  const sorted = members.toSorted((a, b) => a.itemId - b.itemId);
  return sorted.flatMap((a, i) =>
    sorted
      .slice(i + 1)
      .filter((b) => b.shopId !== a.shopId)
      .map((b): [Judged, Judged] => [a, b]),
  );
}

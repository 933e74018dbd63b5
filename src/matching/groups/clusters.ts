import { collect } from "../../lib/collect.ts";
import type { MatchKind } from "../../db/schema/matching.ts";

export interface Listing {
  itemId: number;
  shopId: string;
  /** null: the product is sold as new. */
  condition: string | null;
  /** Valid codes; empty: none is known. */
  codes: readonly number[];
}

/** Says that two products are one. `score`: 0 to 1. */
export interface Link {
  a: number;
  b: number;
  kind: MatchKind;
  score: number;
}

export interface Component {
  listings: readonly Listing[];
  /** Links to products that are not listed do not count. */
  links: readonly Link[];
  /** Pairs that people declared different. */
  different: readonly Couple[];
  /** Pairs whose titles tell of two products: likeness never joins them, whatever lies between. */
  variants: readonly Couple[];
  /** Packages of different size with a common code: only people join them. */
  packages: readonly Couple[];
}

export type Couple = readonly [number, number];

export interface Member {
  itemId: number;
  /** The score of its strongest link within the cluster. */
  kind: MatchKind;
  score: number;
}

/** From the strongest to the weakest. Text and model differ only in what is told of a link. */
const strength: Record<MatchKind, number> = { manual: 0, gtin: 1, model: 2, text: 2 };

/**
 * Each pair of the products with a code: a decision of people may separate any of them. The score is the part of their
 * codes that both have, so that what has several of them, as a listing of all flavours, comes last.
 */
export function linksOfCodes(listings: readonly Listing[]): Link[] {
  const inOrder = listings.toSorted((x, y) => x.itemId - y.itemId);
  const byCode = collect(inOrder, ({ codes }) => codes);
  const pairs = new Map<string, { a: Listing; b: Listing; shared: number }>();
  for (const sharing of byCode.values()) {
    for (const [i, a] of sharing.entries()) {
      for (const b of sharing.slice(i + 1)) {
        const key = `${a.itemId} ${b.itemId}`;
        pairs.set(key, { a, b, shared: (pairs.get(key)?.shared ?? 0) + 1 });
      }
    }
  }
  return [...pairs.values()].map(({ a, b, shared }) => ({
    a: a.itemId,
    b: b.itemId,
    kind: "gtin",
    score: shared / (a.codes.length + b.codes.length - shared),
  }));
}

/**
 * Which products are one, each cluster with two members or more, by item id. The result depends on the
 * component alone, not on the order of its lists. Decisions of people come first, then codes, then
 * likeness by descending score. Products that people declared different are never in one cluster,
 * whatever links them. Only people put two products together that both have codes and share none, or that
 * are packages of different size. Likeness never puts two offers of one shop in the same condition together,
 * or two variants by a third product that says nothing of what tells them apart.
 */
export function formClusters({
  listings,
  links,
  different,
  variants,
  packages,
}: Component): Member[][] {
  const clusterOf = new Map(
    listings.map((listing) => [listing.itemId, [listing] as readonly Listing[]]),
  );
  const apart = toNeighbours(different);
  const unlike = toNeighbours(variants);
  const otherwisePacked = toNeighbours(packages);
  for (const link of links.toSorted(byStrength)) {
    const left = clusterOf.get(link.a);
    const right = clusterOf.get(link.b);
    if (!left || !right || left === right || isApart(left, right, apart)) continue;
    if (link.kind !== "manual" && !mayBeOne(left, right, link.kind)) continue;
    if (link.kind !== "manual" && isApart(left, right, otherwisePacked)) continue;
    if (isLikeness(link.kind) && isApart(left, right, unlike)) continue;
    const codes = [...new Set([...left, ...right].flatMap((one) => one.codes))];
    // What people join has the codes of both.
    const both = [...left, ...right].map((one) =>
      link.kind === "manual" ? { ...one, codes } : one,
    );
    for (const { itemId } of both) clusterOf.set(itemId, both);
  }
  const strongest = strongestLinks(
    links.filter(({ a, b }) => clusterOf.has(a) && clusterOf.get(a) === clusterOf.get(b)),
  );
  return [...new Set(clusterOf.values())]
    .filter((cluster) => cluster.length > 1)
    .map((cluster) =>
      cluster
        .map(({ itemId }) => toMember(itemId, strongest))
        .toSorted((a, b) => a.itemId - b.itemId),
    )
    .toSorted((a, b) => (a[0]?.itemId ?? 0) - (b[0]?.itemId ?? 0));
}

function byStrength(left: Link, right: Link): number {
  return (
    strength[left.kind] - strength[right.kind] ||
    right.score - left.score ||
    left.a - right.a ||
    left.b - right.b
  );
}

type Neighbours = ReadonlyMap<number, ReadonlySet<number>>;

function toNeighbours(couples: readonly Couple[]): Neighbours {
  const neighbours = new Map<number, Set<number>>();
  for (const [a, b] of couples) {
    neighbours.set(a, (neighbours.get(a) ?? new Set()).add(b));
    neighbours.set(b, (neighbours.get(b) ?? new Set()).add(a));
  }
  return neighbours;
}

const isLikeness = (kind: MatchKind): boolean => strength[kind] === strength.text;

function isApart(left: readonly Listing[], right: readonly Listing[], apart: Neighbours): boolean {
  if (apart.size === 0) return false;
  return left.some((l) => {
    const others = apart.get(l.itemId);
    return others !== undefined && right.some((r) => others.has(r.itemId));
  });
}

function mayBeOne(left: readonly Listing[], right: readonly Listing[], kind: MatchKind): boolean {
  return left.every((l) =>
    right.every(
      (r) =>
        !(isLikeness(kind) && l.shopId === r.shopId && l.condition === r.condition) &&
        (l.codes.length === 0 || r.codes.length === 0 || l.codes.some((c) => r.codes.includes(c))),
    ),
  );
}

function strongestLinks(links: readonly Link[]): Map<number, Link> {
  const strongest = new Map<number, Link>();
  for (const link of links.toSorted(byStrength)) {
    for (const itemId of [link.a, link.b]) {
      if (!strongest.has(itemId)) strongest.set(itemId, link);
    }
  }
  return strongest;
}

function toMember(itemId: number, strongest: ReadonlyMap<number, Link>): Member {
  const link = strongest.get(itemId);
  if (!link) throw new Error(`product ${itemId} is in a cluster without a link`);
  const isSure = link.kind === "manual" || link.kind === "gtin";
  return { itemId, kind: link.kind, score: isSure ? 1 : link.score };
}

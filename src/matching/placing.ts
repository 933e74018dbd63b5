import { toScore, type MatchModel } from "./model.ts";

/** A pair of products of two shops, with the likeness of both, and its place among the pairs of each. */
export type PlacedPair = {
  a: number;
  b: number;
  shop_a: string;
  shop_b: string;
  /** See `toBase`. */
  base: number;
  cosine: number;
  /** The best cosine of `a` in the shop of `b`, and the reverse. */
  best_a: number;
  best_b: number;
  /** `b` is the likeliest of its shop for `a`, and the reverse. */
  is_first_a: boolean;
  is_first_b: boolean;
};

/** The probability by the model, 0 to 1. */
export function scorePlaced(
  { base, cosine, best_a: bestA, best_b: bestB }: PlacedPair,
  model: MatchModel,
): number {
  const context = {
    left: bestA > 0 ? cosine / bestA : 1,
    right: bestB > 0 ? cosine / bestB : 1,
  };
  return toScore(base, context, model);
}

export const placeOf = (itemId: number, shopId: string): string => JSON.stringify([itemId, shopId]);

/**
 * Writes the places of the pairs anew, for the products and shops in `places` (`placeOf`), of which all pairs
 * have to be there. Equally likely ones go by id, so that the first is one.
 */
export function placePairs<Pair extends PlacedPair>(
  pairs: readonly Pair[],
  places: ReadonlySet<string>,
): Pair[] {
  const best = new Map<string, number>();
  const first = new Map<string, { base: number; other: number }>();
  const see = (place: string, { base, cosine }: Pair, other: number) => {
    if (!places.has(place)) return;
    best.set(place, Math.max(best.get(place) ?? 0, cosine));
    const leader = first.get(place);
    const leads = !leader || base > leader.base || (base === leader.base && other < leader.other);
    if (leads) first.set(place, { base, other });
  };
  for (const pair of pairs) {
    see(placeOf(pair.a, pair.shop_b), pair, pair.b);
    see(placeOf(pair.b, pair.shop_a), pair, pair.a);
  }
  return pairs.map((pair) => {
    const [left, right] = [placeOf(pair.a, pair.shop_b), placeOf(pair.b, pair.shop_a)];
    return {
      ...pair,
      ...(places.has(left) && {
        best_a: best.get(left) ?? 0,
        is_first_a: first.get(left)?.other === pair.b,
      }),
      ...(places.has(right) && {
        best_b: best.get(right) ?? 0,
        is_first_b: first.get(right)?.other === pair.a,
      }),
    };
  });
}

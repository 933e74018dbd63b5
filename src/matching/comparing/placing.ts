import { toScore, type MatchModel } from "./model.ts";

/** What decides on a pair before likeness does: people, or codes. */
export type Rule = "same" | "different" | "code" | "other_code";

export const joins: Record<Rule, boolean> = {
  same: true,
  code: true,
  different: false,
  other_code: false,
};

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
  /** See `isForbidden`. */
  rule: Rule | null;
  vetoes: readonly string[];
  /** `b` is the likeliest of its shop for `a`, and the reverse; only of forbidden pairs, forbidden ones may be likelier. */
  is_first_a: boolean;
  is_first_b: boolean;
};

/** Whether the pair is none, however alike its products are: it then takes no place from another. */
function isForbidden({ rule, vetoes }: PlacedPair): boolean {
  return rule ? !joins[rule] : vetoes.length > 0;
}

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

/** As likely as the titles and the place of one product say: without the place, one title could be likelier than the same. */
function strengthOf({ base, cosine }: PlacedPair, best: number, model: MatchModel): number {
  const share = best > 0 ? cosine / best : 1;
  return toScore(base, { left: share, right: share }, model);
}

type Leader = { strength: number; other: number };

/**
 * Writes the places of the pairs anew, for the products and shops in `places` (`placeOf`), of which all pairs
 * have to be there. Equally likely ones go by id, so that the first is one.
 */
export function placePairs<Pair extends PlacedPair>(
  pairs: readonly Pair[],
  places: ReadonlySet<string>,
  model: MatchModel,
): Pair[] {
  const best = new Map<string, number>();
  const first = { all: new Map<string, Leader>(), free: new Map<string, Leader>() };
  const seen = pairs.flatMap((pair) =>
    [
      { pair, place: placeOf(pair.a, pair.shop_b), other: pair.b },
      { pair, place: placeOf(pair.b, pair.shop_a), other: pair.a },
    ].filter(({ place }) => places.has(place)),
  );
  for (const { pair, place } of seen) best.set(place, Math.max(best.get(place) ?? 0, pair.cosine));
  for (const { pair, place, other } of seen) {
    const strength = strengthOf(pair, best.get(place) ?? 0, model);
    for (const leaders of isForbidden(pair) ? [first.all] : [first.all, first.free]) {
      const leader = leaders.get(place);
      const leads =
        !leader ||
        strength > leader.strength ||
        (strength === leader.strength && other < leader.other);
      if (leads) leaders.set(place, { strength, other });
    }
  }
  return pairs.map((pair) => {
    const [left, right] = [placeOf(pair.a, pair.shop_b), placeOf(pair.b, pair.shop_a)];
    const leaders = isForbidden(pair) ? first.all : first.free;
    return {
      ...pair,
      ...(places.has(left) && {
        best_a: best.get(left) ?? 0,
        is_first_a: leaders.get(left)?.other === pair.b,
      }),
      ...(places.has(right) && {
        best_b: best.get(right) ?? 0,
        is_first_b: leaders.get(right)?.other === pair.a,
      }),
    };
  });
}

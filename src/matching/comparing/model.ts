import type { Comparison } from "./features.ts";
import { shippedModel } from "./model-weights.ts";

/** A logistic regression over standardised features: those of the pair, then those of the context. */
export interface MatchModel {
  version: number;
  bias: number;
  /** For each feature its mean, its standard deviation and its weight. */
  features: readonly { name: string; mean: number; deviation: number; weight: number }[];
}

/** How near an item comes to its best partner in the other's shop: cosine ÷ the best cosine, 0 to 1. */
export interface Context {
  left: number;
  right: number;
}

/** Probability that both are the same product, 0 to 1; symmetric. */
export function score(
  comparison: Pick<Comparison, "features">,
  context: Context,
  model: MatchModel = shippedModel,
): number {
  return toScore(toBase(comparison, model), context, model);
}

/**
 * The part of the log-odds that the titles give. It is stored with a pair; `toScore` adds the rest whenever
 * the place of the pair among the others changes.
 */
export function toBase({ features }: Pick<Comparison, "features">, model: MatchModel): number {
  return model.bias + sum([...features], model.features);
}

export function toScore(base: number, context: Context, model: MatchModel): number {
  const values = contextFeatures(context);
  const logOdds = base + sum(values, model.features.slice(-values.length));
  return 1 / (1 + Math.exp(-logOdds));
}

function sum(values: readonly number[], features: MatchModel["features"]): number {
  let total = 0;
  for (const [i, value] of values.entries()) {
    const feature = features[i];
    if (feature) total += (feature.weight * (value - feature.mean)) / feature.deviation;
  }
  return total;
}

export function contextFeatures({ left, right }: Context): [min: number, max: number] {
  return [Math.min(left, right), Math.max(left, right)];
}

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
  { features }: Pick<Comparison, "features">,
  context: Context,
  model: MatchModel = shippedModel,
): number {
  const values = [...features, ...contextFeatures(context)];
  let sum = model.bias;
  for (const [i, { mean, deviation, weight }] of model.features.entries()) {
    sum += (weight * ((values[i] ?? 0) - mean)) / deviation;
  }
  return 1 / (1 + Math.exp(-sum));
}

export function contextFeatures({ left, right }: Context): [min: number, max: number] {
  return [Math.min(left, right), Math.max(left, right)];
}

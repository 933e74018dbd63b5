import type { Comparison } from "./features.ts";
import { contextFeatures, type Context, type MatchModel } from "./model.ts";
import { shippedModel } from "./model-weights.ts";

/**
 * The model's log-odds are a sum, so what the titles give is stored with a pair, and the rest is added
 * whenever the place of the pair among the others changes: `toScore(toBase(c), context)` is `score(c, context)`.
 */
export function toBase(
  { features }: Pick<Comparison, "features">,
  model: MatchModel = shippedModel,
): number {
  return model.bias + sum([...features], model.features);
}

export function toScore(base: number, context: Context, model: MatchModel = shippedModel): number {
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

import { contextNames, featureNames } from "../../src/matching/comparing/features.ts";
import { contextFeatures, type MatchModel } from "../../src/matching/comparing/model.ts";
import type { ComparedPair } from "../../src/matching/comparing/labelled-pairs.ts";

/** Inverse strength of the ridge penalty, as elsewhere called C. */
const C = 0.3;
const POSITIVE_SHARE = 0.25;
const ROUNDS = 30;

export interface Row {
  values: readonly number[];
  label: 0 | 1;
  weight: number;
}

function toValues({ comparison, context }: ComparedPair): number[] {
  return [...comparison.features, ...contextFeatures(context)];
}

/** Each set weighs the same, and so do its positives: a quarter of the set. The mean weight is 1. */
export function weigh(sets: readonly (readonly ComparedPair[])[]): Row[] {
  const total = sets.reduce((sum, set) => sum + set.length, 0);
  return sets.flatMap((set) => {
    const positives = set.filter(({ label }) => label === 1).length;
    const each = total / sets.length;
    return set.map((pair) => ({
      values: toValues(pair),
      label: pair.label,
      weight:
        pair.label === 1
          ? (each * POSITIVE_SHARE) / positives
          : (each * (1 - POSITIVE_SHARE)) / (set.length - positives),
    }));
  });
}

/** Ridge logistic regression over standardised features by Newton's method. */
export function fit(rows: readonly Row[], version: number): MatchModel {
  const names = [...featureNames, ...contextNames];
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const means = names.map(
    (_, j) => rows.reduce((s, r) => s + r.weight * (r.values[j] ?? 0), 0) / total,
  );
  const deviations = names.map((_, j) => {
    const variance =
      rows.reduce((s, r) => s + r.weight * ((r.values[j] ?? 0) - (means[j] ?? 0)) ** 2, 0) / total;
    return variance > 1e-9 ? Math.sqrt(variance) : 1;
  });
  const size = names.length + 1;
  const points = rows.map((row) => [
    ...row.values.map((value, j) => (value - (means[j] ?? 0)) / (deviations[j] ?? 1)),
    1,
  ]);
  let weights: number[] = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map((weight, j) => (j < size - 1 ? weight / C : 0));
    const hessian = Array.from({ length: size }, (_, j) => {
      const line = new Float64Array(size);
      line[j] = j < size - 1 ? 1 / C : 1e-9;
      return line;
    });
    for (const [i, point] of points.entries()) {
      const { label, weight } = rows[i] ?? { label: 0, weight: 0 };
      let sum = 0;
      for (let j = 0; j < size; j += 1) sum += (weights[j] ?? 0) * (point[j] ?? 0);
      const probability = 1 / (1 + Math.exp(-sum));
      const slope = weight * (probability - label);
      const curve = weight * probability * (1 - probability);
      for (let j = 0; j < size; j += 1) {
        const x = point[j] ?? 0;
        gradient[j] = (gradient[j] ?? 0) + slope * x;
        const line = hessian[j];
        if (line)
          for (let k = 0; k <= j; k += 1) line[k] = (line[k] ?? 0) + curve * x * (point[k] ?? 0);
      }
    }
    const step = solve(hessian, gradient);
    weights = weights.map((weight, j) => weight - (step[j] ?? 0));
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  const short = (value: number) => Number(value.toPrecision(6));
  return {
    version,
    bias: short(weights[size - 1] ?? 0),
    features: names.map((name, j) => ({
      name,
      mean: short(means[j] ?? 0),
      deviation: short(deviations[j] ?? 1),
      weight: short(weights[j] ?? 0),
    })),
  };
}

/** Solves A x = b for a symmetric positive A, of which the lower half is given (Cholesky). */
function solve(a: Float64Array[], b: readonly number[]): number[] {
  const n = b.length;
  const at = (i: number, j: number) => a[i]?.[j] ?? 0;
  for (let j = 0; j < n; j += 1) {
    for (let i = j; i < n; i += 1) {
      let sum = at(i, j);
      for (let k = 0; k < j; k += 1) sum -= at(i, k) * at(j, k);
      const line = a[i];
      if (line) line[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(j, j);
    }
  }
  const x = [...b];
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < i; k += 1) x[i] = (x[i] ?? 0) - at(i, k) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < n; k += 1) x[i] = (x[i] ?? 0) - at(k, i) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  return x;
}

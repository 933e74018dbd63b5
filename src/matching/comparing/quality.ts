/** How well scores tell equal pairs from others. Shares, 0 to 1. */
export interface Quality {
  pairs: number;
  positives: number;
  precision: number;
  recall: number;
  f1: number;
  threshold: number;
  /** At the threshold that is best for these very pairs. */
  best_f1: number;
  /** The largest recall at a precision of at least .97. */
  recall_at_p97: number;
}

export interface Scored {
  label: 0 | 1;
  score: number;
}

export function qualityAt(scored: readonly Scored[], threshold: number): Quality {
  const linked = scored.filter(({ score }) => score >= threshold);
  const positives = scored.filter(({ label }) => label === 1).length;
  const right = linked.filter(({ label }) => label === 1).length;
  return {
    pairs: scored.length,
    positives,
    precision: linked.length === 0 ? 0 : right / linked.length,
    recall: positives === 0 ? 0 : right / positives,
    f1: f1Of(right, linked.length, positives),
    threshold,
    best_f1: bestThreshold(scored).f1,
    recall_at_p97: recallAt(scored, 0.97),
  };
}

/** The threshold with the best F1 by the labels. */
export function bestThreshold(scored: readonly Scored[]): { threshold: number; f1: number } {
  const positives = scored.filter(({ label }) => label === 1).length;
  let best = { threshold: 0.5, f1: 0 };
  for (const { score, right, linked, next } of steps(scored)) {
    const f1 = f1Of(right, linked, positives);
    if (f1 > best.f1) best = { threshold: (score + next) / 2, f1 };
  }
  return best;
}

export function recallAt(scored: readonly Scored[], precision: number): number {
  const positives = scored.filter(({ label }) => label === 1).length;
  let most = 0;
  for (const { right, linked } of steps(scored)) {
    if (right / linked >= precision) most = Math.max(most, right / positives);
  }
  return most;
}

/**
 * The threshold with the best expected F1 without labels: the scores are taken as probabilities for the
 * share of equal pairs that the model was trained on, and corrected to the share that explains these
 * scores best (expectation maximisation, Saerens 2002).
 */
export function expectedBestThreshold(scores: readonly number[], trainedShare = 0.25): number {
  const odds = scores.map((score) => score / Math.max(1e-12, 1 - score));
  const correct = (share: number) => {
    const factor = (share / (1 - share)) * ((1 - trainedShare) / trainedShare);
    return odds.map((value) => (value * factor) / (1 + value * factor));
  };
  let share = trainedShare;
  for (let round = 0; round < 50; round += 1) {
    const mean = correct(share).reduce((sum, value) => sum + value, 0) / Math.max(1, odds.length);
    share = Math.min(0.9, Math.max(0.02, mean));
  }
  const probabilities = correct(share);
  const order = scores
    .map((score, i) => ({ score, probability: probabilities[i] ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
  const expected = probabilities.reduce((sum, value) => sum + value, 0);
  let right = 0;
  let best = { threshold: 0.5, f1: 0 };
  for (const [i, { score, probability }] of order.entries()) {
    right += probability;
    const f1 = f1Of(right, i + 1, expected);
    if (f1 > best.f1) best = { threshold: score, f1 };
  }
  return best.threshold;
}

function* steps(scored: readonly Scored[]) {
  const order = scored.toSorted((a, b) => b.score - a.score);
  let right = 0;
  for (const [i, { label, score }] of order.entries()) {
    right += label;
    const next = order[i + 1]?.score ?? 0;
    // Equal scores are linked together.
    if (next < score || i === order.length - 1) yield { score, right, linked: i + 1, next };
  }
}

function f1Of(right: number, linked: number, positives: number): number {
  return right === 0 ? 0 : (2 * right) / (linked + positives);
}

import { basename } from "node:path";
import { parseArgs } from "node:util";
import {
  comparePairs,
  readLabelledPairs,
  type ComparedPair,
} from "../src/matching/labelled-pairs.ts";
import { score, type MatchModel } from "../src/matching/model.ts";
import {
  bestThreshold,
  expectedBestThreshold,
  qualityAt,
  recallAt,
} from "../src/matching/quality.ts";
import { tierOf } from "../src/matching/tiers.ts";
import { fit, weigh } from "./matching/fit.ts";
import { trainingSet } from "./matching/training-set.ts";

/**
 * Leaves each file out of training in turn and judges its test split:
 * `npx tsx scripts/bench-matching.ts --pairs FILE --pairs FILE …`. Splits are named in the files.
 */
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    pairs: { type: "string", multiple: true, default: [] },
    weights: { type: "boolean", default: false },
  },
});
const sets = await Promise.all(
  values.pairs.map(async (path) => {
    const pairs = await readLabelledPairs(path);
    const name = basename(path).replace(/^matching-|\.jsonl(?:\.gz)?$/g, "");
    return { name, compared: comparePairs(pairs), training: trainingSet(pairs) };
  }),
);
say("set | F1 .5 | valid t: F1 | label-free t: F1 | best | R P95 | A: P, R | A+B: P, R");
for (const set of sets) {
  const model = fit(
    weigh(sets.filter((other) => other !== set).map(({ training }) => training)),
    1,
  );
  report(set.name, set.compared, model);
  if (values.weights)
    say(
      model.features
        .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
        .map((f) => `${f.name} ${f.weight.toFixed(2)}`)
        .join(", "),
    );
}

function report(name: string, compared: readonly ComparedPair[], model: MatchModel): void {
  const scoreAll = (pairs: readonly ComparedPair[]) =>
    pairs.map((pair) => ({ ...pair, score: score(pair.comparison, pair.context, model) }));
  const tests = scoreAll(compared.filter(({ split }) => split === "test"));
  const own = scoreAll(compared.filter(({ split }) => split === "valid"));
  const tuned = bestThreshold(
    own.length > 0 ? own : scoreAll(compared.filter(({ split }) => split === "train")),
  );
  const free = expectedBestThreshold(tests.map((t) => t.score));
  const at = qualityAt(tests, 0.5);
  const tiers = tests.map((pair) => ({
    label: pair.label,
    tier: tierOf(pair.comparison, pair.score, Math.min(pair.context.left, pair.context.right) >= 1),
  }));
  const positives = at.positives;
  const share = (wanted: readonly string[]) => {
    const linked = tiers.filter(({ tier }) => wanted.includes(tier));
    const right = linked.filter(({ label }) => label === 1).length;
    return `${(right / Math.max(1, linked.length)).toFixed(3)} ${(right / positives).toFixed(2)} (${linked.length})`;
  };
  say(
    [
      name,
      at.f1.toFixed(3),
      `${tuned.threshold.toFixed(2)}: ${qualityAt(tests, tuned.threshold).f1.toFixed(3)}`,
      `${free.toFixed(2)}: ${qualityAt(tests, free).f1.toFixed(3)}`,
      at.best_f1.toFixed(3),
      recallAt(tests, 0.95).toFixed(2),
      share(["equal"]),
      share(["equal", "similar"]),
    ].join(" | "),
  );
}

import { basename } from "node:path";
import {
  comparePairs,
  readLabelledPairs,
  type ComparedPair,
} from "../src/matching/comparing/labelled-pairs.ts";
import { score, type MatchModel } from "../src/matching/comparing/model.ts";
import {
  bestThreshold,
  expectedBestThreshold,
  qualityAt,
  recallAt,
} from "../src/matching/comparing/quality.ts";
import { tierOf, type Tier } from "../src/matching/comparing/limits.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { fit, weigh } from "./matching/fit.ts";
import { makePairs } from "./matching/made-pairs.ts";
import { trainingSet } from "./matching/training-set.ts";
import { readWrittenPairs } from "./matching/written-pairs.ts";

/**
 * Leaves each file out of training in turn and judges its test split:
 * `npx tsx scripts/bench-matching.ts --pairs FILE --pairs FILE … [--catalog FILE] [--weights]`. The files
 * name the split of each pair; `--catalog` adds made pairs to the training. The written pairs are a set like the files.
 */
const say = (line: string) => void process.stdout.write(`${line}\n`);
const values = readArguments({ pairs: [needed], catalog: null, weights: false });
const made = values.catalog ? [trainingSet(await makePairs(values.catalog))] : [];
const files = await Promise.all(
  values.pairs.map(async (path) => ({
    name: basename(path).replaceAll(/^matching-|\.jsonl(?:\.gz)?$/g, ""),
    pairs: await readLabelledPairs(path),
  })),
);
const written = readWrittenPairs().map((pair) => ({ ...pair, split: "test" }));
const sets = [
  ...files.map(({ name, pairs }) => ({
    name,
    compared: comparePairs(pairs),
    training: trainingSet(pairs),
  })),
  { name: "written", compared: comparePairs(written), training: trainingSet(readWrittenPairs()) },
];
say(
  "| left out | F1 at .5 | F1, own t | F1, t without labels | best F1 | R at P ≥ .95 | A: P, R | A and B: P, R |",
);
say("|---|---|---|---|---|---|---|---|");
for (const set of sets) {
  const others = sets.filter((other) => other !== set).map(({ training }) => training);
  const model = fit(weigh([...others, ...made]), 1);
  say(`| ${[set.name, ...judge(set.compared, model)].join(" | ")} |`);
  if (!values.weights) continue;
  for (const { name, weight } of model.features) say(`${weight.toFixed(2).padStart(6)} ${name}`);
}

function judge(compared: readonly ComparedPair[], model: MatchModel): string[] {
  const scored = compared.map((pair) => ({
    ...pair,
    score: score(pair.comparison, pair.context, model),
  }));
  const tests = scored.filter(({ split }) => split === "test");
  const own = bestThreshold(scored.filter(({ split }) => split !== "test")).threshold;
  const free = expectedBestThreshold(tests.map((pair) => pair.score));
  const at = qualityAt(tests, 0.5);
  const links = tests.map((pair) => ({
    label: pair.label,
    tier: tierOf(pair.comparison, pair.score, Math.min(pair.context.left, pair.context.right) >= 1),
  }));
  const linked = (tiers: readonly Tier[]) => {
    const some = links.filter(({ tier }) => tiers.includes(tier));
    const right = some.filter(({ label }) => label === 1).length;
    return `${(right / Math.max(1, some.length)).toFixed(3)}, ${(right / at.positives).toFixed(2)}`;
  };
  return [
    at.f1.toFixed(3),
    `${qualityAt(tests, own).f1.toFixed(3)} (${own.toFixed(2)})`,
    `${qualityAt(tests, free).f1.toFixed(3)} (${free.toFixed(2)})`,
    at.best_f1.toFixed(3),
    recallAt(tests, 0.95).toFixed(2),
    linked(["equal"]),
    linked(["equal", "similar"]),
  ];
}

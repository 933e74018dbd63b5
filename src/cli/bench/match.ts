import type { CliContext } from "../context.ts";
import {
  comparePairs,
  readLabelledPairs,
  type ComparedPair,
} from "../../matching/comparing/labelled-pairs.ts";
import { score } from "../../matching/comparing/model.ts";
import {
  bestThreshold,
  expectedBestThreshold,
  qualityAt,
  type Quality,
} from "../../matching/comparing/quality.ts";
import { readOptions, UsageError } from "../../lib/arguments.ts";

const options = {
  pairs: { type: "string" },
  threshold: { type: "string", default: "0.5" },
  json: { type: "boolean", default: false },
} as const;

/**
 * `kurabe bench match`: scores labelled pairs with the shipped model. If the file names splits, those of
 * "test" are judged, else all pairs.
 */
export async function benchMatch(args: string[], { stdout, signal }: CliContext): Promise<number> {
  const { pairs, threshold, json } = readArguments(args);
  const scored = comparePairs(await readLabelledPairs(pairs, signal)).map((pair) => ({
    ...pair,
    score: score(pair.comparison, pair.context),
  }));
  const hasTests = scored.some(isTest);
  const judged = hasTests ? scored.filter(isTest) : scored;
  const labelled = hasTests ? scored.filter((pair) => !isTest(pair)) : [];
  const quality = qualityAt(judged, threshold ?? thresholdFor(judged, labelled));
  const rounded = Object.fromEntries(
    Object.entries(quality).map(([name, value]) => [name, Math.round(value * 10_000) / 10_000]),
  );
  if (json) stdout.write(`${JSON.stringify(rounded)}\n`);
  else for (const [name, value] of Object.entries(rounded)) stdout.write(`${name}: ${value}\n`);
  return 0;
}

function isTest({ split }: ComparedPair): boolean {
  return split === "test";
}

type Scored = Parameters<typeof qualityAt>[0];

/** By the labels of the other splits; without them by the scores alone. */
function thresholdFor(judged: Scored, labelled: Scored): Quality["threshold"] {
  if (labelled.some(({ label }) => label === 1)) return bestThreshold(labelled).threshold;
  return expectedBestThreshold(judged.map((pair) => pair.score));
}

function readArguments(args: string[]) {
  const { pairs, threshold, json } = readOptions(args, options);
  if (pairs === undefined) throw new UsageError("--pairs is missing: a file of labelled pairs");
  const value = Number(threshold);
  const isAuto = threshold === "auto";
  if (!isAuto && (threshold.trim() === "" || !(value >= 0 && value <= 1)))
    throw new UsageError(`--threshold must be auto or a number from 0 to 1, not "${threshold}"`);
  return { pairs, threshold: isAuto ? null : value, json };
}

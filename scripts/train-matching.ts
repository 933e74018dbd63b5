import { writeFile } from "node:fs/promises";
import { readLabelledPairs } from "../src/matching/comparing/labelled-pairs.ts";
import { shippedModel } from "../src/matching/comparing/model-weights.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { fit, weigh } from "./matching/fit.ts";
import { makePairs } from "./matching/made-pairs.ts";
import { trainingSet } from "./matching/training-set.ts";
import { readWrittenPairs } from "./matching/written-pairs.ts";

/**
 * Writes the weights of the matcher: `npx tsx scripts/train-matching.ts --pairs FILE --pairs FILE … [--catalog FILE]`.
 * Each file is a set of its own, and so are the written pairs and those made from a catalogue; pairs of the split "test"
 * are left out.
 */
const values = readArguments({
  pairs: [needed],
  catalog: null,
  out: "src/matching/comparing/model-weights.ts",
  version: shippedModel.version,
});
const sets = await Promise.all(
  values.pairs.map(async (path) => trainingSet(await readLabelledPairs(path))),
);
sets.push(trainingSet(readWrittenPairs()));
if (values.catalog) sets.push(trainingSet(await makePairs(values.catalog)));
const model = fit(weigh(sets), values.version);
const lines = model.features.map((feature) => `    ${JSON.stringify(feature)},`);
await writeFile(
  values.out,
  `/** Written by scripts/train-matching.ts. */
export const shippedModel = {
  version: ${model.version},
  bias: ${model.bias},
  features: [
${lines.join("\n")}
  ],
};
`,
);
process.stdout.write(`${model.features.length} weights in ${values.out}\n`);

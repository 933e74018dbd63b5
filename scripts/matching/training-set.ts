import {
  comparePairs,
  type ComparedPair,
  type LabelledPair,
} from "../../src/matching/comparing/labelled-pairs.ts";

/** Share of a set's training pairs whose price, brand and model are blanked. */
const BLANKED = 0.4;

/** The pairs of a file that are not its test, part of them without the fields that other sources lack. */
export function trainingSet(pairs: readonly LabelledPair[]): ComparedPair[] {
  const own = pairs.filter(({ split }) => split !== "test");
  const whole = comparePairs(own);
  const blank = comparePairs(
    own.map(({ left, right, ...pair }) => ({
      ...pair,
      left: { title: left.title },
      right: { title: right.title },
    })),
  );
  return whole.map((pair, i) => ((i * 7919) % 100 < BLANKED * 100 ? (blank[i] ?? pair) : pair));
}

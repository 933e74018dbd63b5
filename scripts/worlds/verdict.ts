import type { Bounds } from "../../src/bench/bound.ts";
import type { PolicyName, SimpleRule } from "../../src/bench/play/policies.ts";

/** The policies that every cell of the list plays. */
export const judged = [
  "round-robin",
  "oldest",
  "oldest-fullest",
  "importance-age",
  "blind",
  "planner",
  "oracle",
] as const satisfies readonly PolicyName[];

export interface Verdict {
  bestSimple: SimpleRule;
  /** Of what true rates gain over the planner without traits, the share that traits gain; null: nothing to gain. */
  gapClosed: number | null;
  /** What does not hold. */
  breaches: string[];
}

/** Runs of one world differ by so much. */
const NOISE = 0.01;
/** Where traits tell nothing they may cost this. */
const MAY_LOSE = 0.005;
/** Less than this between the planner without traits and true rates is no gap. */
const NO_GAP = 0.01;

/** Judges the freshness that the policies reached in one world. `isTelling`: null where nobody knows. */
export function toVerdict(
  freshness: Readonly<Record<(typeof judged)[number], number>>,
  bounds: Bounds,
  isTelling: boolean | null,
): Verdict {
  const simple = ["round-robin", "oldest", "oldest-fullest", "importance-age"] as const;
  const bestSimple = simple.reduce((a, b) => (freshness[b] > freshness[a] ? b : a));
  const { planner, blind, oracle } = freshness;
  const gap = oracle - blind;
  const gapClosed = gap < NO_GAP ? null : (planner - blind) / gap;
  const breaches: string[] = [];
  const note = (isBroken: boolean, text: string, by: number) => {
    if (isBroken) breaches.push(`${text} by ${by.toFixed(3)}`);
  };
  const simpleWins = freshness[bestSimple] - planner;
  note(simpleWins > 0, "a simple policy wins", simpleWins);
  note(isTelling === true && gapClosed !== null && gapClosed < 0.5, "gap open", oracle - planner);
  note(isTelling === false && blind - planner > MAY_LOSE, "traits lose", blind - planner);
  note(planner - oracle > NOISE, "true rates are below", planner - oracle);
  const highest = Math.max(...judged.map((name) => freshness[name]));
  note(highest > bounds.clairvoyant, "above the bound", highest - bounds.clairvoyant);
  return { bestSimple, gapClosed, breaches };
}

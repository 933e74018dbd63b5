/** Scores are counted by fiftieths. */
export const bins = 50;

/** How many pairs have a score in each fiftieth from 0 to 1. */
export interface ScoreCounts {
  /** Pairs of two shops with barcodes on both sides that are the same product. */
  same: number[];
  /** The same with different barcodes. */
  different: number[];
  /** Candidates of two shops, whatever they are. */
  crossShop: number[];
  /** Candidates within one shop, which are different products. */
  sameShop: number[];
}

export interface EstimateRules {
  /** Threshold where nothing is known. */
  usual: number;
  /** No threshold lies outside these. */
  lowest: number;
  highest: number;
  /** Share of links that are right below which a category links nothing, 0 to 1. */
  floor: number;
}

/** Why a category links or does not, in words for people. */
export const categoryReasons = {
  linkedByCodes: "Enough links are right, by pairs with barcodes on both sides.",
  linkedByShops: "Enough links are right, by comparison with pairs within one shop.",
  refusedByCodes: "Too few links would be right, by pairs with barcodes on both sides.",
  refusedByShops: "Different products of one shop look as much alike as products of two shops do.",
} as const;

export interface CategoryEstimate {
  threshold: number;
  isLinked: boolean;
  reason: string;
  /** Share of links from the threshold on that are right, 0 to 1; null: too few pairs. */
  precisionByCodes: number | null;
  precisionByShops: number | null;
  labelledPairs: number;
}

/** Aiming at this by own labels gave .88 to .99 on unseen sets: hence the margins below it. */
const aim = 0.97;
/** Pairs from the threshold on without which nothing is said. */
const fewestPairs = 20;
/** Candidates of each kind without which their shares are not compared. */
const fewestCandidates = 200;
/** Smaller changes of a threshold are not worth matching a category anew. */
const leastStep = 0.04;
/** A refused category is linked again only this far above the floor. */
const returnMargin = 0.02;

/**
 * Chooses the threshold of a category, and whether it links at all. Barcodes decide where there are enough;
 * else the comparison with pairs within shops, which cannot move the threshold. Null: too little is known.
 */
export function estimateCategory(
  evidence: ScoreCounts,
  rules: EstimateRules,
  present: { threshold: number; isLinked: boolean } | null,
): CategoryEstimate | null {
  const calibrated = calibrate(evidence, rules);
  const isKept =
    present !== null &&
    calibrated !== null &&
    Math.abs(present.threshold - calibrated) < leastStep &&
    byCodes(evidence, present.threshold) !== null;
  const threshold = isKept ? present.threshold : (calibrated ?? rules.usual);
  const precisionByCodes = byCodes(evidence, threshold);
  const precisionByShops = byShops(evidence, threshold);
  const precision = precisionByCodes ?? precisionByShops;
  if (precision === null) return null;
  const isLinked = precision >= rules.floor + (present?.isLinked === false ? returnMargin : 0);
  const way = precisionByCodes === null ? "Shops" : "Codes";
  return {
    threshold,
    isLinked,
    reason: categoryReasons[`${isLinked ? "linked" : "refused"}By${way}`],
    precisionByCodes,
    precisionByShops,
    labelledPairs: Math.round(sum(evidence.same) + sum(evidence.different)),
  };
}

/** The lowest threshold with which surely enough links are right; null: too few labelled pairs. */
function calibrate(evidence: ScoreCounts, rules: EstimateRules): number | null {
  if (byCodes(evidence, rules.lowest) === null) return null;
  for (let bin = toBin(rules.lowest); bin / bins <= rules.highest; bin += 1) {
    const [right, wrong] = [above(evidence.same, bin), above(evidence.different, bin)];
    if (right + wrong < fewestPairs) break;
    if (lowerBound(right, right + wrong) >= aim) {
      return Math.min(rules.highest, Math.max(rules.lowest, bin / bins));
    }
  }
  return rules.highest;
}

function byCodes({ same, different }: ScoreCounts, threshold: number): number | null {
  const bin = toBin(threshold);
  const [right, wrong] = [above(same, bin), above(different, bin)];
  return right + wrong < fewestPairs ? null : right / (right + wrong);
}

/**
 * One less how often pairs within a shop reach the threshold, divided by how often pairs of two shops do:
 * links of different products are about as frequent in both.
 */
function byShops({ crossShop, sameShop }: ScoreCounts, threshold: number): number | null {
  const [all, within] = [sum(crossShop), sum(sameShop)];
  const linked = above(crossShop, toBin(threshold));
  if (all < fewestCandidates || within < fewestCandidates || linked < fewestPairs) return null;
  const wrong = above(sameShop, toBin(threshold)) / within;
  return Math.max(0, 1 - wrong / (linked / all));
}

/** What remains of old evidence after so many further passes over the products, with new evidence added. */
export function addCounts(old: ScoreCounts, passes: number, added: ScoreCounts): ScoreCounts {
  const kept = 0.5 ** passes;
  const add = (name: keyof ScoreCounts) =>
    Array.from({ length: bins }, (_, i) => (old[name][i] ?? 0) * kept + (added[name][i] ?? 0));
  return {
    same: add("same"),
    different: add("different"),
    crossShop: add("crossShop"),
    sameShop: add("sameShop"),
  };
}

export function noCounts(): ScoreCounts {
  const none = () => Array.from({ length: bins }, () => 0);
  return { same: none(), different: none(), crossShop: none(), sameShop: none() };
}

/** The fiftieth that a score of 0 to 1 counts in. */
export function toBin(score: number): number {
  return Math.min(bins - 1, Math.max(0, Math.floor(score * bins + 1e-6)));
}

/** Lower end of the Wilson interval at one standard deviation. */
function lowerBound(right: number, all: number): number {
  const share = right / all;
  const spread = Math.sqrt((share * (1 - share)) / all + 1 / (4 * all * all));
  return (share + 1 / (2 * all) - spread) / (1 + 1 / all);
}

function above(counts: readonly number[], bin: number): number {
  return sum(counts.slice(bin));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((a, b) => a + b, 0);
}

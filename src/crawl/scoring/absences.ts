/**
 * How many products of a keyword are deleted and not yet noticed, told by the number that each answer of a search
 * says it finds: what Kurabe knows of the keyword grows with new products and falls with proven deletions, and what
 * the keyword finds must follow. The difference says how many are missing, not which: only a refresh proves that.
 */
export interface Absences {
  /** Known products that the keyword did not find when no deletion was unnoticed: others show them, or hide them. */
  baseline: number;
  /** Missing beyond these. */
  missing: number;
  /** Days since their last check, summed over the known products. */
  productDays: number;
  at: number;
  /** When the last of them was found missing: what was checked later is not among them. */
  since: number;
}

/** A difference that stays is taken for the usual one after so many days. */
const FORGET_DAYS = 30;
/** The loss rates weigh so much beside the count, and less where they let nothing expect. */
const DOUBT = 0.3;

export function countMissing(
  old: Absences | null,
  now: { known: number; found: number; productDays: number; at: number },
): Absences {
  const { productDays, at } = now;
  const difference = now.known - now.found;
  const forgotten = old === null ? 1 : -Math.expm1(-(at - old.at) / FORGET_DAYS);
  const usual = old === null ? difference : old.baseline;
  const baseline = Math.min(difference, usual + (difference - usual) * forgotten);
  const missing = difference - baseline;
  const isMore = old !== null && missing > old.missing + 0.5;
  return { baseline, missing, productDays, at, since: isMore ? at : (old?.since ?? at) };
}

/** `late`: products shown for the first time that were there at the last count, which could not know them. */
export function afterLate(absences: Absences, late: number): Absences {
  return { ...absences, baseline: absences.baseline + late };
}

/**
 * The chance a day that a product was deleted that was not checked since the last one was found missing. What is missing is spread over the
 * days since the checks, so that together the products are expected to be as many; a loss rate that is learned later
 * changes it little.
 */
export function lossRateOfUnchecked({ missing, productDays }: Absences, lossRate: number): number {
  if (!(productDays > 1e-9)) return lossRate;
  const doubt = DOUBT * Math.min(1, productDays * lossRate);
  return (missing + doubt) / (productDays + DOUBT * Math.min(productDays, 1 / lossRate));
}

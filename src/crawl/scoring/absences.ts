import type { Absences } from "../../db/schema.ts";

export interface Count {
  found: number;
  deleted: number;
  /** Its own products that are known. */
  own: number;
  productDays: number;
  /** The share of its list that was read since the last count. */
  read: number;
  /** How much of a fall of what it finds is believed to be deletions; 1 unless told. */
  believed?: number;
  at: number;
}

/** A count is trusted less after so many days. */
const trustedDays = 30;
/** The weight of the loss rates beside the count; less where they expect hardly any deletion. */
const rateWeight = 0.3;

/** What a new count of a keyword's products tells; `old`: the count before; null: there is none. */
export function countMissing(old: Absences | null, now: Count): Absences {
  const { found, deleted, own, productDays, read, believed = 1, at } = now;
  const share = found > 0 ? Math.min(1, own / found) : 1;
  const counted = { found, deleted, born: 0, productDays, share, trust: share * read, at };
  if (old === null) return { ...counted, missing: 0, since: at };
  const proven = Math.max(0, deleted - old.deleted);
  // Of those proven deleted since, what was not missing before is found no more either, however old the count before is.
  const lost = old.share * (old.found + old.born - found - Math.max(0, proven - old.missing));
  const left = leftOf(old, now, Math.min(proven, old.missing));
  const missing = Math.max(0, Math.min(own, (lost > 0 ? believed * lost : lost) + left));
  return { ...counted, missing, since: missing > Math.max(0, left) + 0.5 ? at : old.since };
}

/** What is left of a count when this many of its own products have been proven deleted. */
export function afterProofs(absences: Absences, deleted: number): Absences {
  const proven = Math.max(0, deleted - absences.deleted);
  return { ...absences, missing: Math.max(0, absences.missing - proven) };
}

/**
 * What is still missing of those of the last count. As far as it can be trusted: all but those proven since. As far as
 * it cannot: as many as products that were not checked since, so that its error does not stay.
 */
function leftOf(old: Absences, { own, productDays, at }: Count, proven: number): number {
  const days = Math.max(0, at - old.at);
  const daysOfUnchecked = Math.max(0, productDays - own * days);
  const unchecked = Math.min(1, daysOfUnchecked / Math.max(1e-9, old.productDays));
  const trust = old.trust * Math.exp(-days / trustedDays);
  return trust * (old.missing - proven) + (1 - trust) * old.missing * unchecked;
}

/**
 * The chance a day that a product was deleted that was not checked since the last one was found missing. What is
 * missing is spread over the days since the checks, so that together the products are expected to be as many; a loss
 * rate that is learned later changes it little, unless the count cannot be trusted.
 */
export function lossRateOfUnchecked(
  { missing, productDays, trust }: Absences,
  lossRate: number,
): number {
  if (!(productDays > 1e-9)) return lossRate;
  const weight = rateWeight / Math.max(1e-3, trust);
  const doubt = weight * Math.min(1, productDays * lossRate);
  return (missing + doubt) / (productDays + weight * Math.min(productDays, 1 / lossRate));
}

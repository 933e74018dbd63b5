/** Shape of the prior over change rates: below 1, because most products hardly ever change. */
export const PRIOR_SHAPE = 0.7;

/** Evidence for one product's change rate. Kept apart from the prior, which goes on being learned. */
export interface Evidence {
  /** Changes seen, after matching of moments a real number. */
  changes: number;
  /** Days in which they could be seen. */
  days: number;
}

/** Old evidence fades with this time constant, in days, so that a rate that changed is learned anew. */
export const MEMORY_DAYS = 60;

function faded(evidence: Evidence, tau: number): Evidence {
  const keep = Math.exp(-tau / MEMORY_DAYS);
  return { changes: evidence.changes * keep, days: evidence.days * keep };
}

/** Looked at after `tau` days: it had not changed. */
export function afterUnchanged(evidence: Evidence, tau: number): Evidence {
  const { changes, days } = faded(evidence, tau);
  return { changes, days: days + tau };
}

/**
 * Its latest change is known to the moment; `quietDays` is the time known to be without change
 * (before it by the feed, and since it). That span alone is evidence: to count the days before the
 * change too, as if no further change could hide in them, would underrate whatever changes often.
 */
export function afterDatedChange(evidence: Evidence, tau: number, quietDays: number): Evidence {
  const { changes, days } = faded(evidence, tau);
  return { changes: changes + 1, days: days + quietDays };
}

/**
 * It changed at least once in `tau` days; how often cannot be seen. The posterior is no Gamma, so
 * its first two moments are matched. `priorMean`: changes a day expected of its shop.
 */
export function afterChange(evidence: Evidence, tau: number, priorMean: number): Evidence {
  const { changes, days } = faded(evidence, tau);
  const shape = PRIOR_SHAPE + changes;
  const span = PRIOR_SHAPE / priorMean + days;
  const log = Math.log1p(Math.max(tau, 1e-9) / span);
  const seen = -Math.expm1(-shape * log);
  const mean = ((shape / span) * -Math.expm1(-(shape + 1) * log)) / seen;
  const square = (((shape * (shape + 1)) / span ** 2) * -Math.expm1(-(shape + 2) * log)) / seen;
  const newSpan = mean / Math.max(square - mean ** 2, 1e-12 * mean ** 2);
  return {
    changes: Math.max(0, mean * newSpan - PRIOR_SHAPE),
    days: Math.max(0, newSpan - PRIOR_SHAPE / priorMean),
  };
}

/** Mean change rate over all shops, a day; 0.1 until there is evidence. */
export function overallMean(sum: Evidence): number {
  return (sum.changes + 0.01) / (sum.days + 0.1);
}

/** Mean change rate of one shop, a day: what is known of its products, drawn towards all shops. */
export function shopMean(sum: Evidence, overall: number): number {
  return (sum.changes + 2) / (sum.days + 2 / overall);
}

/** Which changes bump `modified`: what looks that were not the feed's have told. */
export interface Bumps {
  bumped: number;
  silent: number;
}

/** Share of changes that bump `modified`, and so can be found by the feed. */
export function bumpShare(own: Bumps, all: Bumps): number {
  const overall = (all.bumped + 2) / (all.bumped + all.silent + 3);
  return (own.bumped + 4 * overall) / (own.bumped + own.silent + 4);
}

/**
 * Counts one change found by a refresh or head page. Bumped changes from before the last scan were
 * found by the feed, silent ones are all still there: so of the silent ones only the share counts
 * that falls into the time since the scan.
 */
export function countBump(bumps: Bumps, bumped: boolean, tau: number, sinceScan: number): Bumps {
  if (bumped) return { ...bumps, bumped: bumps.bumped + 1 };
  return { ...bumps, silent: bumps.silent + Math.min(1, sinceScan / Math.max(tau, 1e-9)) };
}

/** Products proven deleted, and the days during which they could have been. */
export interface Losses {
  losses: number;
  lossDays: number;
}

/** Losses are rarer than changes: until there is evidence, one product in two hundred a day. */
const PRIOR_LOSS: Losses = { losses: 0.005, lossDays: 1 };

/** Chance a day that a product of this shop is deleted. */
export function lossRate(own: Losses, all: Losses): number {
  const overall = (all.losses + PRIOR_LOSS.losses) / (all.lossDays + PRIOR_LOSS.lossDays);
  return (own.losses + 1) / (own.lossDays + 1 / overall);
}

/** What was known of a product before a look at it. */
export interface Before {
  evidence: Evidence;
  checkedAt: number;
  /** The last scan of a keyword whose feed would have shown its change; null: none would. */
  feedScannedAt: number | null;
}

/** What a look at a known product told. */
export interface Sight {
  changed: boolean;
  /** The moment to which a bump of `modified` dates its last change; null: none, or no moment can be told. */
  bumpedAt: number | null;
}

export interface Learnt {
  evidence: Evidence;
  /** Days since it was seen before. */
  tau: number;
  /** Of them, those since the last scan. */
  sinceScan: number;
}

/** What one check teaches about one product. */
export function learnCheck(before: Before, sight: Sight, shopMeanRate: number, at: number): Learnt {
  const tau = Math.max(0, at - before.checkedAt);
  const swept =
    before.feedScannedAt === null
      ? 0
      : Math.max(0, Math.min(at, before.feedScannedAt) - before.checkedAt);
  const learnt = (evidence: Evidence) => ({ evidence, tau, sinceScan: tau - swept });
  if (!sight.changed) return learnt(afterUnchanged(before.evidence, tau));
  if (sight.bumpedAt === null) return learnt(afterChange(before.evidence, tau, shopMeanRate));
  const since = Math.min(tau, Math.max(0, at - sight.bumpedAt));
  return learnt(afterDatedChange(before.evidence, tau, Math.min(tau, swept + since)));
}

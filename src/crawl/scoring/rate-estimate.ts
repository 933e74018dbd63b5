import { unchangedChance } from "./freshness-value.ts";

/** Shape of the prior over change rates: below 1, because most products hardly ever change. */
export const priorShape = 0.7;

/** Evidence for one product's change rate, without the prior, which is still being learned. */
export interface Evidence {
  /** Observed changes; not an integer, because moments are matched. */
  changes: number;
  /** Days in which changes could be observed. */
  days: number;
}

/** Evidence fades with this time constant, in days, so that a rate that has changed is learned anew. */
export const memoryDays = 60;

function faded(evidence: Evidence, tau: number): Evidence {
  const keep = Math.exp(-tau / memoryDays);
  return { changes: evidence.changes * keep, days: evidence.days * keep };
}

/** A check after `tau` days found no change. */
export function afterUnchanged(evidence: Evidence, tau: number): Evidence {
  const { changes, days } = faded(evidence, tau);
  return { changes, days: days + tau };
}

/**
 * The moment of the latest change is known; `quietDays` are the days known to be without change (before
 * it by the feed, and since it). Only these days count: with the days before the change, in which
 * further changes may hide, the rate of what changes often would be underestimated.
 */
export function afterDatedChange(evidence: Evidence, tau: number, quietDays: number): Evidence {
  const { changes, days } = faded(evidence, tau);
  return { changes: changes + 1, days: days + quietDays };
}

/**
 * It changed at least once in `tau` days; how often is unknown. The posterior is no Gamma distribution,
 * so its first two moments are matched. `priorMean`: expected changes a day in its shop.
 */
export function afterChange(evidence: Evidence, tau: number, priorMean: number): Evidence {
  const { changes, days } = faded(evidence, tau);
  const shape = priorShape + changes;
  const span = priorShape / priorMean + days;
  const log = Math.log1p(Math.max(tau, 1e-9) / span);
  const seen = -Math.expm1(-shape * log);
  const mean = ((shape / span) * -Math.expm1(-(shape + 1) * log)) / seen;
  const square = (((shape * (shape + 1)) / span ** 2) * -Math.expm1(-(shape + 2) * log)) / seen;
  const newSpan = mean / Math.max(square - mean ** 2, 1e-12 * mean ** 2);
  return {
    changes: Math.max(0, mean * newSpan - priorShape),
    days: Math.max(0, newSpan - priorShape / priorMean),
  };
}

/** Mean change rate over all shops, a day; 0.1 until there is evidence. */
export function overallMean(sum: Evidence): number {
  return (sum.changes + 0.01) / (sum.days + 0.1);
}

/** So many changes of a shop are believed half: its products often change together, which tells of one event. */
const shopDoubt = 12;

/** Mean change rate of one shop, a day: the evidence of its products, drawn towards the mean of all shops. */
export function shopMean(sum: Evidence, overall: number): number {
  return (sum.changes + shopDoubt) / (sum.days + shopDoubt / overall);
}

/** Which changes updated `modified`, as found by checks other than the feed's. */
export interface Bumps {
  bumped: number;
  silent: number;
}

/** Share of changes that update `modified`, so that the feed shows them. */
export function bumpShare(own: Bumps, all: Bumps): number {
  const overall = (all.bumped + 2) / (all.bumped + all.silent + 3);
  return (own.bumped + 4 * overall) / (own.bumped + own.silent + 4);
}

/** A change that a refresh or a page of top sellers found. */
export interface FoundChange {
  bumped: boolean;
  /** Days since the check before, and those of them in which the list was not read. */
  tau: number;
  unreadDays: number;
  /** The rate that was expected of the product: Gamma(shape, span). */
  shape: number;
  span: number;
  /** Share of changes that bump, as known before. */
  share: number;
}

/**
 * Counts one such change. The feed has already found the changes before its last scan that update `modified`, but no
 * silent ones: so of a silent change only the share counts that falls into the time in which the list was not read. And
 * it counts by the chance that it was the only change: of several, nearly always one has updated `modified`, so that
 * products that change often would hide the silent changes.
 */
export function countBump(bumps: Bumps, change: FoundChange): Bumps {
  const { bumped, tau, unreadDays, shape, span, share } = change;
  const bumping = share * unreadDays;
  const silent = (1 - share) * tau;
  const unchanged = (days: number) => unchangedChance(shape, span, days);
  const one = (shape / span) * unchangedChance(shape + 1, span, bumping + silent);
  const ratio = (part: number, all: number) => (all > 1e-12 ? Math.min(1, part / all) : 1);
  if (bumped) {
    return { ...bumps, bumped: bumps.bumped + ratio(bumping * one, 1 - unchanged(bumping)) };
  }
  const unread = Math.min(1, unreadDays / Math.max(tau, 1e-9));
  const chance = ratio(silent * one, unchanged(bumping) - unchanged(bumping + silent));
  return { ...bumps, silent: bumps.silent + unread * chance };
}

/** Products proven deleted, and the days in which they could have been. */
export interface Losses {
  losses: number;
  lossDays: number;
}

/** Deletions are rarer than changes: without evidence, one product in two hundred a day. */
const priorLoss: Losses = { losses: 0.005, lossDays: 1 };

/** Products are deleted many at once: days without a deletion tell little of the next one. */
const leastLossRate = 1 / 3000;

/** Chance a day that a product of this shop is deleted. */
export function lossRate(own: Losses, all: Losses): number {
  const overall = (all.losses + priorLoss.losses) / (all.lossDays + priorLoss.lossDays);
  return Math.max(leastLossRate, (own.losses + 1) / (own.lossDays + 1 / overall));
}

/** What was known of a product before a check. */
export interface Before {
  evidence: Evidence;
  checkedAt: number;
  /** Days since then in which its keyword's list would have shown a change (`readDays`). */
  readDays: number;
}

/** What a check of a known product showed. */
export interface Sight {
  changed: boolean;
  /** Days known to be without a change, around its last one; null: no plausible `modified` dates that. */
  quietDays: number | null;
}

export interface Learnt {
  evidence: Evidence;
  /** Days since its check before. */
  tau: number;
  /** Those of them in which no list would have shown a change. */
  unreadDays: number;
  /** The changes that this check has shown or lets one expect, and the days in which they could be seen. */
  seen: Evidence;
}

/** What one check teaches about one product. `meanRate`: changes a day expected of it before any evidence. */
export function learnCheck(before: Before, sight: Sight, meanRate: number, at: number): Learnt {
  const tau = Math.max(0, at - before.checkedAt);
  const scanned = Math.min(tau, before.readDays);
  const { evidence: old } = before;
  const learnt = (evidence: Evidence, seen: Evidence) => {
    return { evidence, tau, unreadDays: tau - scanned, seen };
  };
  if (!sight.changed) return learnt(afterUnchanged(old, tau), { changes: 0, days: tau });
  if (sight.quietDays === null) {
    const changes = changesIfAny(old, tau, meanRate);
    return learnt(afterChange(old, tau, meanRate), { changes, days: tau });
  }
  const quietDays = Math.min(tau, sight.quietDays);
  return learnt(afterDatedChange(old, tau, quietDays), { changes: 1, days: quietDays });
}

/** How many changes are expected in `tau` days of which it is known that there was at least one. */
function changesIfAny(evidence: Evidence, tau: number, meanRate: number): number {
  const shape = priorShape + evidence.changes;
  const span = priorShape / meanRate + evidence.days;
  const chance = 1 - unchangedChance(shape, span, tau);
  return chance < 1e-9 ? 1 : ((shape / span) * tau) / chance;
}

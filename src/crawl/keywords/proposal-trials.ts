import { batchSize } from "../scoring/scoring.ts";
import type { Db } from "../../db/open.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import {
  readCoverage,
  estimateHeld,
  priorYield,
  propose,
  readTrialYields,
  type TrialYield,
} from "./proposals.ts";
import { isOnTrial, newProductValue } from "./keyword-rest.ts";
import { isProposed, type Keyword } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { FullScans } from "./full-scan.ts";

/** Waiting proposals delay further ones by no longer than this. */
const proposeEveryMs = 10 * 60_000;
const yieldsTtlMs = 60_000;
/** However little the estimate of the share that is held says. */
const leastShare = 0.05;

/**
 * Full scans of proposed keywords. The value of a page is the number of new products expected on it: for a
 * first page the products that the keyword finds, as far as those already held tell, times the share that
 * was new for the latest proposals of its rule; for a further page half what its own pages brought, half what
 * it finds and is not held yet. So calls go to discovery where it pays.
 */
export function createTrials(db: Db, fullScans: FullScans, state: PlannerState) {
  let yields: ReadonlyMap<string, TrialYield> = new Map();
  let yieldsAtMs = -Infinity;
  let proposedAtMs = -Infinity;
  /** Proposals that were untried after the last replenishment. */
  let waiting = 0;
  /** Of the products that a proposal finds, those held, by its id; and the share that is held of all. */
  let held: ReadonlyMap<number, number> = new Map();
  let heldShare = 1;

  const proposed = () => state.queries().filter((keyword) => isProposed(keyword));
  const untried = () => proposed().filter((keyword) => keyword.trial === null).length;

  function firstPage(keyword: Keyword): number {
    const tried = yields.get(keyword.source);
    const known = held.get(keyword.id) ?? 0;
    // While nothing like it is held, or its rule is untried, it may find nothing at all or much.
    if (!tried || known === 0) return (tried ?? priorYield).created;
    return Math.min(batchSize, known / heldShare) * tried.newShare;
  }

  /** Its own pages alone would say little of those to come while other keywords show the same products. */
  function furtherPage({ id, found, scanStart, scanYield }: Keyword): number {
    const past = scanYield ?? 0;
    const known = held.get(id);
    if (known === undefined || !found) return past;
    const left = Math.max(1, found - (scanStart ?? 0));
    return (past + batchSize * Math.min(1, Math.max(0, (found - known) / left))) / 2;
  }

  return {
    /** Proposes more keywords once the waiting ones have been tried. */
    async replenish(most: number, now: Date): Promise<void> {
      const nowMs = now.getTime();
      const isUsedUp = waiting > 0 && untried() <= waiting / 2;
      if (most === 0 || (!isUsedUp && Math.abs(nowMs - proposedAtMs) < proposeEveryMs)) return;
      proposedAtMs = nowMs;
      yieldsAtMs = -Infinity;
      const sample = await propose(db, most, now);
      state.touch();
      await state.refresh(nowMs);
      waiting = untried();
      const unscanned = proposed().filter((keyword) => keyword.scannedAt === null);
      held = await estimateHeld(db, sample, unscanned);
      heldShare = Math.max(leastShare, (await readCoverage(db)).share ?? 1);
    },
    /** The page of most value among the full scans of proposals; none if there is nothing to scan. */
    async offers(idle: readonly Keyword[], now: Date): Promise<SearchCall[]> {
      const unscanned = idle.filter(
        (keyword) => isProposed(keyword) && keyword.scannedAt === null && fullScans.isFree(keyword),
      );
      if (unscanned.length === 0) return [];
      if (Math.abs(now.getTime() - yieldsAtMs) > yieldsTtlMs) {
        yields = await readTrialYields(db);
        yieldsAtMs = now.getTime();
      }
      const created = (keyword: Keyword) =>
        isOnTrial(keyword) ? firstPage(keyword) : furtherPage(keyword);
      const best = unscanned.reduce((a, b) => (created(b) > created(a) ? b : a));
      return [fullScans.next(best, created(best) * newProductValue(state))];
    },
  };
}

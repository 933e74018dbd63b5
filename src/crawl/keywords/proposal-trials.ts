import type { Db } from "../../db/open.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { isOnTrial, newProductValue } from "./keyword-rest.ts";
import { PRIOR_CREATED, propose, readTrialYields } from "./proposals.ts";
import { isProposed, type CrawlQuery } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { FullScans } from "./full-scan.ts";

export interface Trials {
  /** Proposes more keywords once the waiting ones have been tried. */
  replenish(most: number, now: Date): Promise<void>;
  /** The page of most value among the full scans of proposals; none if there is nothing to scan. */
  offers(idle: readonly CrawlQuery[], now: Date): Promise<SearchCall[]>;
}

/** Waiting proposals delay further ones by no longer than this. */
const PROPOSE_EVERY_MS = 10 * 60_000;
const YIELDS_TTL_MS = 60_000;

/**
 * Full scans of proposed keywords. A proposal's first page is valued by what the latest proposals of
 * its rule found, every further page by its own earlier pages: so calls go to discovery where it pays.
 */
export function createTrials(db: Db, fullScans: FullScans, state: PlannerState): Trials {
  let yields: ReadonlyMap<string, number> = new Map();
  let yieldsAtMs = -Infinity;
  let proposedAtMs = -Infinity;
  /** Proposals that were untried after the last replenishment. */
  let waiting = 0;

  const untried = () =>
    state.queries().filter((query) => isProposed(query) && query.trial === null).length;

  return {
    async replenish(most, now) {
      const nowMs = now.getTime();
      const isUsedUp = waiting > 0 && untried() <= waiting / 2;
      if (most === 0 || (!isUsedUp && nowMs - proposedAtMs < PROPOSE_EVERY_MS)) return;
      proposedAtMs = nowMs;
      yieldsAtMs = -Infinity;
      await propose(db, most, now);
      state.touch();
      await state.refresh(nowMs);
      waiting = untried();
    },
    async offers(idle, now) {
      const unscanned = idle.filter(
        (query) => isProposed(query) && query.scannedAt === null && fullScans.isFree(query),
      );
      if (unscanned.length === 0) return [];
      if (now.getTime() - yieldsAtMs > YIELDS_TTL_MS) {
        yields = await readTrialYields(db);
        yieldsAtMs = now.getTime();
      }
      const created = (query: CrawlQuery) =>
        isOnTrial(query) ? (yields.get(query.source) ?? PRIOR_CREATED) : (query.scanYield ?? 0);
      const best = unscanned.reduce((a, b) => (created(b) > created(a) ? b : a));
      return [fullScans.next(best, created(best) * newProductValue(state.totals()))];
    },
  };
}

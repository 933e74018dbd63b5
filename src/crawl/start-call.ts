import { randomUUID } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import { reserveCall, type BudgetRules, type Reservation } from "./budget/budget.ts";
import { readBudget } from "./budget/budget-today.ts";
import { readLastCallAt } from "./budget/call-log.ts";
import { isActive } from "./budget/jobs.ts";
import { readSplit } from "./budget/on-demand-quota.ts";
import type { Planner } from "./planner.ts";
import { stillLasts } from "./budget/accounts.ts";
import {
  anomalousAnswers,
  blockedUntil,
  readCrawlState,
  setBlock,
  type Block,
  type CrawlState,
} from "./safety/pause.ts";
import { isSilent, readLatestAnswers } from "./safety/answer-checks.ts";
import { toParams, type RunCall } from "./safety/planned-call.ts";
import { releaseLease, takeLease, type Lease } from "../db/lease.ts";

const idleMs = 500;
const standbyMs = 1000;
/** How soon a worker looks again whether it may make calls, when it has seen the day spent. */
const spentMs = 5000;

/** A call that was taken from the budget. */
export interface Started extends Reservation {
  call: RunCall;
  /** The pause that this call ends or prolongs: it alone finds out whether calls succeed again. */
  probes: Block | null;
  /** Ops have said that anomalous answers are right: none is checked. */
  isBelieved: boolean;
}

/** Returns what picks the next call and takes it from the budget, or says how long to wait. */
export function createStart(options: {
  db: Db;
  clock: Clock;
  rules: BudgetRules;
  pacing: "smooth" | "burst";
  lead: Lead;
  planner: Planner;
  /** An answer is waiting to be stored, so nothing more is asked. */
  isRetrying(): boolean;
}): () => Promise<Started | { waitMs: number }> {
  const { db, clock, rules, pacing, lead, planner, isRetrying } = options;

  /** How long no call may go out; null: one may. */
  function stoppedForMs(crawl: CrawlState, now: Date): number | null {
    if (crawl.paused || isRetrying()) return idleMs;
    const blocked = crawl.block && blockedUntil(crawl.block, lead.worker);
    return blocked && stillLasts(blocked, now)
      ? Math.min(5000, blocked.getTime() - now.getTime())
      : null;
  }

  /** Takes the call from the budget. If it is not granted, its subject may be planned again. */
  async function reserve(call: RunCall): Promise<Started | { waitMs: number }> {
    // While the call was being chosen, an answer or ops may have stopped the crawl, and ops its run.
    const crawl = await readCrawlState(db);
    const isOver = call.runId !== null && !(await isActive(db, call.runId));
    if (isOver || stoppedForMs(crawl, clock.now()) !== null) {
      call.release();
      return { waitMs: 0 };
    }
    const reservation = await reserveCall(db, clock, rules, {
      purpose: call.purpose,
      operation: call.operation,
      job: call.job,
      params: toParams(call),
      asked: call.operation === "refresh" ? call.itemIds.length : null,
    });
    if (!reservation) {
      call.release();
      return { waitMs: standbyMs };
    }
    const probes = crawl.block;
    // The other lanes wait for the outcome of this call.
    const now = clock.now();
    const until = new Date(reservation.sendAt.getTime() + rules.flightMs + rules.skewMs);
    if (probes) await setBlock(db, { ...probes, until, othersFrom: until }, now);
    const isBelieved = crawl.believedUntil !== null && crawl.believedUntil > now;
    return { ...reservation, call, probes, isBelieved };
  }

  return async () => {
    if (!(await lead.isOurs())) return { waitMs: standbyMs };
    const now = clock.now();
    const crawl = await readCrawlState(db);
    const waitMs = stoppedForMs(crawl, now);
    if (waitMs !== null) return { waitMs };
    const budget = await readBudget(db, now, rules);
    if (budget.remaining === 0) {
      // Another worker's limit may be higher.
      await lead.giveWay(new Date(now.getTime() + spentMs));
      return { waitMs: standbyMs };
    }
    const split = await readSplit(db, budget, now, rules.firesOf);
    const onDemand = split.onDemand > 0 ? await planner.nextOnDemand(now) : null;
    if (!onDemand && split.ordinary === 0) return { waitMs: idleMs };
    const paceAt =
      pacing === "burst"
        ? now
        : nextSmoothCallAt({
            now,
            resetsAt: split.endsAt,
            remaining: split.ordinary,
            lastCallAt: await readLastCallAt(db),
          });
    const mayHurry = pacing === "burst" || budget.used < budget.expected / 2;
    const isDoubted = crawl.block?.code === anomalousAnswers;
    const afterSilence = isDoubted && isSilent(await readLatestAnswers(db));
    const at = { onPace: paceAt <= now, mayHurry, afterSilence };
    const call = onDemand ?? (await planner.next(now, at));
    if (!call) return { waitMs: Math.min(idleMs, Math.max(20, paceAt.getTime() - now.getTime())) };
    try {
      return await reserve(call);
    } catch (error) {
      call.release();
      throw error;
    }
  };
}

export type Lead = ReturnType<typeof createLead>;

const leaseMs = 6000;

/** Decides which of several workers plans the calls: one at a time, the holder of the lease `crawl`. */
export function createLead(db: Db, clock: Clock) {
  const worker = randomUUID();
  let lease: Lease | null = null;
  let notBeforeMs = -Infinity;

  /** Lets another worker lead at once. */
  async function release(): Promise<void> {
    const held = lease;
    lease = null;
    if (held) await releaseLease(db, held);
  }

  return {
    /** This worker's name as a holder of the lease. */
    worker,
    /** Takes or renews the lease; false while another worker holds it or is to take it. */
    async isOurs(): Promise<boolean> {
      if (clock.monotonicMs() < notBeforeMs) return false;
      if (lease && clock.monotonicMs() < lease.trustedUntilMs - leaseMs / 2) return true;
      lease = await takeLease(db, clock, { name: "crawl", holder: worker, ttlMs: leaseMs });
      return lease !== null;
    },
    /** Lets another worker lead, whose calls may succeed. This worker does not try again before `until`. */
    async giveWay(until: Date): Promise<void> {
      notBeforeMs = clock.monotonicMs() + until.getTime() - clock.now().getTime();
      await release();
    },
    release,
  };
}

interface PaceState {
  now: Date;
  /** End of the upstream's day. */
  resetsAt: Date;
  remaining: number;
  lastCallAt: Date | null;
}

/** A last call further in the future was reserved by a process with a wrong clock: it is ignored. */
const longestQueueMs = 60_000;

/**
 * When the next call may go out under smooth pacing: the rest of the day's calls is spread evenly over
 * the rest of the day. No state is kept, so the pace recovers from downtime, bursts and restarts.
 */
export function nextSmoothCallAt(state: PaceState): Date {
  const { now, resetsAt, remaining, lastCallAt } = state;
  if (remaining <= 0) return resetsAt;
  if (!lastCallAt || lastCallAt.getTime() > now.getTime() + longestQueueMs) return now;
  const gapMs = Math.max(0, resetsAt.getTime() - now.getTime()) / remaining;
  return new Date(Math.max(now.getTime(), lastCallAt.getTime() + gapMs));
}

import { observeRefresh, observeSearch } from "../catalog/observing/observe.ts";
import type { LossBounds } from "../catalog/observing/loss-guard.ts";
import type { Sighting } from "../catalog/sighting.ts";
import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { createMutex } from "../lib/async.ts";
import type { StorefrontClient } from "../storefront/client.ts";
import { NoConnection, StorefrontError } from "../storefront/errors.ts";
import { NotSent, sendInWindow, settleNotSent } from "./budget/arrival-window.ts";
import type { BudgetRules } from "./budget/budget.ts";
import { createAnswerStore, type Made } from "./store-answer.ts";
import type { RunCall } from "./safety/planned-call.ts";
import { createLead, createStart, type Started } from "./start-call.ts";
import { createPlanner } from "./planner.ts";
import { refuseCollapse } from "./safety/answer-checks.ts";
import { notStored, settleFailure } from "./safety/failure-policy.ts";
import { createWriteRetry } from "./safety/write-retry.ts";
import type { Block } from "./safety/pause.ts";
import type { GivenStatistics } from "./learning/learning.ts";
import { createReadPart } from "./learning/parts.ts";
import { createPlannerState } from "./learning/planner-state.ts";

export type Crawler = ReturnType<typeof createCrawler>;

/**
 * The crawl. One process at a time plans, by lease. Each call is reserved in the ledger before it is
 * sent; its answer, history, evidence, progress and ledger entry commit together.
 */
export function createCrawler(options: {
  db: Db;
  clock: Clock;
  logger: Logger;
  /** The client of each account by its name. */
  clientOf(account: string): StorefrontClient;
  rules: BudgetRules;
  pacing: "smooth" | "burst";
  /** Deletions up to these bounds are stored without a decision of ops; by default `defaultLossBounds`. */
  lossBounds?: LossBounds;
  /** Called again and again while an answer cannot be stored. */
  onWait?: (() => void) | undefined;
  /** Replaces learned statistics in benches that know the truth. */
  given?: GivenStatistics;
}) {
  const { db, clock, logger, clientOf, rules } = options;
  const lead = createLead(db, clock);
  const exclusive = createMutex();
  const state = createPlannerState(db, rules, options.given, createReadPart(clock, logger));
  const planner = createPlanner(db, state, options.lossBounds);
  const abandonFor = createAbandon(clock);
  const writeRetry = createWriteRetry(clock, logger, options.onWait);
  const { store, settleOk } = createAnswerStore({ db, clock, logger, state, writeRetry });
  const start = createStart({
    db,
    clock,
    rules,
    pacing: options.pacing,
    lead,
    planner,
    isRetrying: writeRetry.isRetrying,
  });

  /** A worker whose own calls fail lets another lead. */
  async function giveWay(block: Block | null): Promise<void> {
    if (block?.failedWorkers.includes(lead.worker)) await lead.giveWay(block.until);
  }

  async function make(started: Started, signal: AbortSignal): Promise<void> {
    const { call, callId, account, sendAt, probes } = started;
    await clock.sleep(sendAt.getTime() - clock.now().getTime(), signal);
    if (signal.aborted) return;
    const sighting: Sighting = { callId, sentAt: clock.now() };
    const startedMs = clock.monotonicMs();
    const elapsedMs = () => clock.monotonicMs() - startedMs;
    const abandon = abandonFor(signal);
    const made = { ...started, sighting, elapsedMs, abandon };
    try {
      await (call.operation === "search"
        ? makeSearch({ ...made, call })
        : makeRefresh({ ...made, call }));
      planner.note(call, true);
    } catch (error) {
      if (error instanceof NotSent) return settleNotSent({ db, clock, logger }, callId, error);
      const block = await settleFailure(
        { db, clock, logger, rules, account, probes, worker: lead.worker },
        call,
        { callId, durationMs: elapsedMs() },
        error instanceof StorefrontError ? error : notStored(error, abandon, logger),
      );
      if (!(error instanceof NoConnection)) planner.note(call, false);
      await giveWay(block);
    }
  }

  async function makeSearch(made: Made<Extract<RunCall, { operation: "search" }>>): Promise<void> {
    const { call, account, sendAt, isBelieved, sighting, abandon } = made;
    const send = (inTime: AbortSignal) => clientOf(account).search(call.params, inTime);
    const page = await sendInWindow({ clock, rules, sendAt }, abandon, send);
    if (!isBelieved) refuseCollapse(call.expectedFound, page);
    await store(made, page, async (tx, oneByOne) => {
      const ranked = { ...page, firstRank: call.firstRank };
      const result = await observeSearch(tx, sighting, ranked, oneByOne);
      await call.settle(tx, sighting, page, result);
      await settleOk(tx, made, { tally: result.tally, found: page.found });
    });
    state.touch();
  }

  async function makeRefresh(
    made: Made<Extract<RunCall, { operation: "refresh" }>>,
  ): Promise<void> {
    const { call, account, sendAt, sighting, abandon } = made;
    const params = { shopId: call.shopId, itemIds: call.itemIds };
    const send = (inTime: AbortSignal) => clientOf(account).refresh(params, inTime);
    const page = await sendInWindow({ clock, rules, sendAt }, abandon, send);
    await store(made, page, async (tx, oneByOne) => {
      const result = await observeRefresh(tx, sighting, { ...page, asked: call }, oneByOne);
      const { gone } = await call.settle(tx, sighting, page, result);
      await settleOk(tx, made, { tally: result.tally, gone });
    });
  }

  return {
    /** Makes at most one call; returns the milliseconds until the next step. Several lanes may run it. */
    async step(signal: AbortSignal): Promise<number> {
      const started = await exclusive(start);
      if ("waitMs" in started) return started.waitMs;
      try {
        await make(started, signal);
      } finally {
        started.call.release();
      }
      return 0;
    },
    /** Gives up the lease, so that another process can take over at once. */
    release: lead.release,
  };
}

/** How long a call under way may still take after the stop signal. */
const graceMs = 3000;

/** For each stop signal one signal, which aborts after the grace period; all lanes share it. */
export function createAbandon(clock: Clock): (stop: AbortSignal) => AbortSignal {
  const known = new WeakMap<AbortSignal, AbortSignal>();
  return (stop) => {
    const existing = known.get(stop);
    if (existing) return existing;
    const abandon = new AbortController();
    stop.addEventListener("abort", () => void clock.sleep(graceMs).then(() => abandon.abort()), {
      once: true,
    });
    known.set(stop, abandon.signal);
    return abandon.signal;
  };
}

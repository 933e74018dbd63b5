import { eq, sql } from "drizzle-orm";
import { observeRefresh, observeSearch } from "../catalog/observing/observe.ts";
import type { LossBounds } from "../catalog/observing/loss-guard.ts";
import type { Sighting } from "../catalog/sighting.ts";
import type { Db, Tx } from "../db/open.ts";
import { jobRun } from "../db/schema.ts";
import { isRefusal, transact } from "../db/transact.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { createMutex } from "../lib/async.ts";
import type { StorefrontClient } from "../storefront/client.ts";
import { NoConnection, StorefrontError } from "../storefront/errors.ts";
import type { RefreshPage } from "../storefront/product.ts";
import { NotSent, sendInWindow, settleNotSent } from "./budget/arrival-window.ts";
import { endAccountPause } from "./budget/accounts.ts";
import type { BudgetRules } from "./budget/budget.ts";
import { settleCall } from "./budget/call-log.ts";
import type { RunCall } from "./safety/planned-call.ts";
import { createLead, createStart, type Started } from "./start-call.ts";
import { createPlanner } from "./planner.ts";
import {
  judge,
  readLatestAnswers,
  type Suspicion,
  createUnknownFields,
  refuseBlanks,
  refuseCollapse,
  suspicionOf,
} from "./safety/answer-checks.ts";
import { notStored, settleFailure, anomalyBlock, reportAnomaly } from "./safety/failure-policy.ts";
import { createWriteRetry } from "./safety/write-retry.ts";
import { clearBlock, setBlock, type Block } from "./safety/pause.ts";
import type { GivenStatistics } from "./learning/learning.ts";
import { createPlannerState } from "./learning/planner-state.ts";

/** A row that somebody holds for longer costs the answer its products, and the crawl no time. */
const LOCK_TIMEOUT = "1s";

export interface CrawlerOptions {
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
}

export interface Crawler {
  /** Makes at most one call; returns the milliseconds until the next step. Several lanes may run it. */
  step(signal: AbortSignal): Promise<number>;
  /** Gives up the lease, so that another process can take over at once. */
  release(): Promise<void>;
}

/** A call that is being made. */
interface Made<Call extends RunCall = RunCall> extends Started {
  call: Call;
  sighting: Sighting;
  /** Since it was sent. */
  elapsedMs(): number;
  /** Aborts when the process cannot wait for it any longer. */
  abandon: AbortSignal;
}

/**
 * The crawl. One process at a time plans, by lease. Each call is reserved in the ledger before it is
 * sent; its answer, history, evidence, progress and ledger entry commit together.
 */
export function createCrawler(options: CrawlerOptions): Crawler {
  const { db, clock, logger, clientOf, rules } = options;
  const lead = createLead(db, clock);
  const exclusive = createMutex();
  const state = createPlannerState(db, rules, options.given);
  const planner = createPlanner(db, state, options.lossBounds);
  const abandonFor = createAbandon(clock);
  const unknownFields = createUnknownFields();
  const writeRetry = createWriteRetry(clock, logger, options.onWait);
  const { isRetrying } = writeRetry;
  const start = createStart({
    db,
    clock,
    rules,
    pacing: options.pacing,
    lead,
    planner,
    isRetrying,
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
    await commit(made, page, async (tx, oneByOne) => {
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
    await commit(made, page, async (tx, oneByOne) => {
      const result = await observeRefresh(tx, sighting, { ...page, asked: call }, oneByOne);
      const { gone } = await call.settle(tx, sighting, page, result);
      await settleOk(tx, made, { tally: result.tally, gone });
    });
  }

  async function commit(
    { call, account, isTry, probes, isBelieved, abandon }: Made,
    page: RefreshPage,
    work: (tx: Tx, oneByOne: boolean) => Promise<void>,
  ): Promise<void> {
    const suspicion = isBelieved ? null : suspicionOf(call, page);
    const fields = unknownFields(page.unknownFields);
    if (fields.length > 0) logger.warn({ fields }, "the upstream sends unknown fields");
    const store = (oneByOne: boolean) => async (tx: Tx) => {
      await tx.execute(sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`);
      if (!isBelieved) await refuseBlanks(tx, page.items);
      await work(tx, oneByOne);
      const block = suspicion && (await judgeAnswer(tx, suspicion, probes));
      if (block) await setBlock(tx, block, clock.now());
      else if (probes) await clearBlock(tx);
      if (isTry) await endAccountPause(tx, account);
      await state.save(tx, clock.now());
      if (call.runId !== null) {
        await tx
          .update(jobRun)
          .set({ calls: sql`${jobRun.calls} + 1` })
          .where(eq(jobRun.id, call.runId));
      }
      return block;
    };
    const stored = (oneByOne: boolean) =>
      writeRetry.untilStored(() => transact(db, clock, store(oneByOne)), abandon);
    try {
      const block = await stored(false).catch((error: unknown) => {
        // One item of the answer cannot be stored: the others are stored without it.
        if (!isRefusal(error)) throw error;
        return stored(true);
      });
      if (block) reportAnomaly(logger, block);
    } catch (error) {
      if (!(error instanceof AlreadySettled)) throw error;
    }
  }

  async function judgeAnswer(tx: Tx, { reason }: Suspicion, probes: Block | null) {
    const verdict = judge(await readLatestAnswers(tx));
    return verdict === "odd" ? anomalyBlock(reason, probes, clock.now()) : null;
  }

  async function settleOk(
    tx: Tx,
    { callId, elapsedMs }: Made,
    entry: Pick<Parameters<typeof settleCall>[2], "tally" | "found" | "gone">,
  ): Promise<void> {
    const ledger = { outcome: "ok", finishedAt: clock.now(), durationMs: elapsedMs(), ...entry };
    if (!(await settleCall(tx, callId, ledger))) throw new AlreadySettled();
  }

  return {
    async step(signal) {
      const started = await exclusive(start);
      if ("waitMs" in started) return started.waitMs;
      try {
        await make(started, signal);
      } finally {
        started.call.release();
      }
      return 0;
    },
    release: lead.release,
  };
}

/** The transaction's first run did commit although its confirmation was lost: nothing is left to write. */
class AlreadySettled extends Error {}

/** How long a call under way may still take after the stop signal. */
const GRACE_MS = 3000;

/** For each stop signal one signal, which aborts after the grace period; all lanes share it. */
export function createAbandon(clock: Clock): (stop: AbortSignal) => AbortSignal {
  const known = new WeakMap<AbortSignal, AbortSignal>();
  return (stop) => {
    const existing = known.get(stop);
    if (existing) return existing;
    const abandon = new AbortController();
    stop.addEventListener("abort", () => void clock.sleep(GRACE_MS).then(() => abandon.abort()), {
      once: true,
    });
    known.set(stop, abandon.signal);
    return abandon.signal;
  };
}

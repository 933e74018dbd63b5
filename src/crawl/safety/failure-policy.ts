import type { Db, Tx } from "../../db/open.ts";
import { databaseErrorCode, transact } from "../../db/transact.ts";
import { dayMs } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import {
  FixCredentials,
  FixRequest,
  NoConnection,
  SlowDown,
  StopForHour,
  StopForToday,
  StorefrontError,
} from "../../storefront/errors.ts";
import { judge, readLatestAnswers, AnomalousAnswer } from "./answer-checks.ts";
import type { CallFailure } from "./backoff.ts";
import { accountsOf, pauseAccount, readAccountPauses } from "../budget/accounts.ts";
import { closeDay, type BudgetRules } from "../budget/budget.ts";
import type { PlannedCall } from "./planned-call.ts";
import { settleCall } from "../budget/call-log.ts";
import { isForNow } from "./write-retry.ts";
import { forAll, readCrawlState, setBlock, anomalousAnswers, type Block } from "./pause.ts";

/** The database refuses a good answer: its subject has to wait, other subjects go on. */
class NotStored extends StorefrontError {
  override readonly name = "NotStored";
}

/** Rethrows `error` if the database is unavailable or the process ends. */
export function notStored(error: unknown, abandon: AbortSignal, logger: Logger): NotStored {
  if (abandon.aborted || isForNow(error)) throw error;
  logger.error({ err: error }, "an answer could not be stored");
  const code = databaseErrorCode(error);
  return new NotStored(
    "not_stored",
    code === null
      ? "the answer could not be processed; see the log"
      : `the database refused the answer (${code})`,
  );
}

/** First and longest pause of all calls after failures in a row, in milliseconds. */
const pauses = {
  retry: { firstMs: 1000, maxMs: 5 * 60_000 },
  /** Mostly a person has to correct credentials: try rarely, but the upstream may refuse them by mistake and be mended. */
  credentials: { firstMs: 60_000, maxMs: 15 * 60_000 },
  anomaly: { firstMs: 60_000, maxMs: 3_600_000 },
};
/** However long the upstream asks to wait: one call an hour finds out whether it still does. */
const longestAskedMs = 3_600_000;
/** The first answer that asks for it may concern one shop or keyword alone: the next call, about another one, tells. */
const firstAskedMs = 60_000;

/** So many are remembered; long before, the pause of a new worker has reached its maximum. */
const mostFailedWorkers = 20;

export interface FailureContext {
  db: Db;
  clock: Clock;
  logger: Logger;
  rules: BudgetRules;
  /** That made the call. */
  account: string;
  /** The process that made the call, by its name as a lease holder. */
  worker: string;
  /** The pause during which this call alone was a try; null: calls went out freely. */
  probes: Block | null;
}

/**
 * Settles a failed call in one transaction with its ledger entry: its subject backs off (see
 * `noteFailure`). All calls pause only if the failure concerns all of them: the account's limits and
 * credentials, the connection, or failures of many subjects at once. Even a refused account counts as the
 * subject's own fault once calls about others have succeeded between two such answers. If the worker itself
 * may be at fault (its network or settings), another worker tries sooner. Returns the pause.
 */
export async function settleFailure(
  context: FailureContext,
  call: PlannedCall,
  ledger: { callId: number; durationMs: number },
  error: StorefrontError,
): Promise<Block | null> {
  const { db, clock, logger } = context;
  const now = clock.now();
  const block = await transact(db, clock, async (tx) => {
    const fresh = await settleCall(tx, ledger.callId, {
      outcome: error.code,
      error: error.message,
      finishedAt: now,
      durationMs: ledger.durationMs,
    });
    // Aborted because the process ends: nothing is at fault.
    if (!fresh || error.code === "aborted") return null;
    const isConnection = error instanceof NoConnection;
    const isItsOwn = !isConnection && (await call.failed(tx, toFailure(context, ledger, error)));
    return pauseAll(tx, context, { error, isItsOwn, callId: ledger.callId });
  });
  const level = error instanceof NotStored ? "error" : "warn";
  logger[level](
    {
      code: error.code,
      account: context.account,
      job: call.job,
      callId: ledger.callId,
      pausedUntil: block?.until,
    },
    `call failed: ${error.message}`,
  );
  if (block?.code === anomalousAnswers) reportAnomaly(logger, block);
  return block;
}

function toFailure(
  { clock, rules, probes }: FailureContext,
  { callId }: { callId: number },
  error: StorefrontError,
): CallFailure {
  const at = clock.now();
  return {
    code: error.code,
    message: error.message,
    callId,
    at,
    kind: toKind(error),
    found: error instanceof AnomalousAnswer ? error.found : null,
    callsPerDay: rules.dailyLimit,
    notBefore: triedAgainFrom(error, probes, { at, callsPerDay: rules.dailyLimit }),
  };
}

/**
 * From when on its subject may be tried again: another one has to find out first whether calls succeed, and has its
 * turn within two calls of an even pace. null: at any time.
 */
function triedAgainFrom(
  error: StorefrontError,
  probes: Block | null,
  { at, callsPerDay }: Pick<CallFailure, "at" | "callsPerDay">,
): Date | null {
  const failures = (probes?.failures ?? 0) + 1;
  if (error instanceof SlowDown)
    return new Date(askedUntil(error, failures, at).getTime() + (2 * dayMs) / callsPerDay);
  return probes && new Date(at.getTime() + 2 * pauseMs(pauses.retry, failures));
}

function toKind(error: StorefrontError): CallFailure["kind"] {
  if (error instanceof FixRequest) return "refused";
  if (error instanceof AnomalousAnswer) return "doubted";
  return isOfAccount(error) ? "account" : "broken";
}

type Refused = StopForHour | SlowDown | FixCredentials;
type OfAccount = StopForToday | Refused;

function isOfAccount(error: StorefrontError): error is OfAccount {
  return [StopForToday, StopForHour, SlowDown, FixCredentials].some(
    (kind) => error instanceof kind,
  );
}

/** The pause of all calls that follows from the failure; null: other calls go on. */
async function pauseAll(
  tx: Tx,
  context: FailureContext,
  { error, isItsOwn, callId }: { error: StorefrontError; isItsOwn: boolean; callId: number },
): Promise<Block | null> {
  const { clock, rules, probes, worker } = context;
  const now = clock.now();
  const previous = (await readCrawlState(tx)).block;
  const failures = (previous?.failures ?? 0) + 1;
  const pause = async (span: Pick<Block, "until" | "othersFrom" | "failedWorkers">) => {
    const block = { ...span, code: error.code, failures, reason: error.message };
    await setBlock(tx, block, now);
    return block;
  };
  const pauseWorker = (span: Pause) => {
    const failedWorkers = [...new Set([worker, ...(previous?.failedWorkers ?? [])])];
    const after = (times: number) => new Date(now.getTime() + pauseMs(span, times));
    return pause({
      until: after(failures),
      // Each new worker waits longer than the one before: a process that restarts again and again makes
      // no more calls than one that stays.
      othersFrom: after(Math.min(failures, failedWorkers.length)),
      failedWorkers: failedWorkers.slice(0, mostFailedWorkers),
    });
  };
  if (error instanceof NoConnection) return pauseWorker(pauses.retry);
  if (isOfAccount(error) && !isItsOwn) {
    if (error instanceof StopForToday) {
      // The closed day itself stops every process.
      await closeDay(tx, rules, callId, now);
      return null;
    }
    if (accountsOf(rules).length > 1) {
      await pauseRefused(tx, context, error);
      return null;
    }
    if (error instanceof FixCredentials) return pauseWorker(pauses.credentials);
    return pause(forAll(refusedUntil(error, failures, now)));
  }
  const verdict = judge(await readLatestAnswers(tx));
  if (verdict === "odd" && error instanceof AnomalousAnswer) {
    const block = anomalyBlock(error.message, probes, now);
    await setBlock(tx, block, now);
    return block;
  }
  const isAnswered = error instanceof FixRequest || error instanceof AnomalousAnswer;
  if (verdict !== "failing" && (isAnswered || probes === null)) return null;
  return pauseWorker(pauses.retry);
}

/** One of several accounts is refused: the others go on. */
async function pauseRefused(
  tx: Tx,
  { account, clock }: FailureContext,
  error: Refused,
): Promise<void> {
  const now = clock.now();
  const before = (await readAccountPauses(tx, [account])).get(account);
  const failures = (before?.failures ?? 0) + 1;
  const until = refusedUntil(error, failures, now);
  const paused = { until, code: error.code, failures, reason: error.message };
  await pauseAccount(tx, account, paused, now);
}

/** The upstream's answers contradict what is known: all calls stop, except a rare one that tries again. */
export function anomalyBlock(reason: string, previous: Block | null, now: Date): Block {
  const failures = previous?.code === anomalousAnswers ? previous.failures + 1 : 1;
  const until = new Date(now.getTime() + pauseMs(pauses.anomaly, failures));
  return { ...forAll(until), code: anomalousAnswers, failures, reason };
}

export function reportAnomaly(logger: Logger, block: Block): void {
  logger.error(
    { code: block.code, until: block.until, probes: block.failures - 1 },
    `the upstream's answers contradict what is known, so the crawl has stopped: ${block.reason}`,
  );
}

type Pause = { firstMs: number; maxMs: number };

function pauseMs(pause: Pause, failures: number): number {
  return Math.min(pause.maxMs, pause.firstMs * 2 ** Math.min(30, failures - 1));
}

/** What is asked for, and more where failures follow each other. */
function askedUntil({ retryAfterMs }: SlowDown, failures: number, now: Date): Date {
  const mostMs = failures > 1 ? longestAskedMs : firstAskedMs;
  const askedMs = Math.min(mostMs, retryAfterMs ?? 0);
  return new Date(now.getTime() + Math.max(askedMs, pauseMs(pauses.retry, failures)));
}

function refusedUntil(error: Refused, failures: number, now: Date): Date {
  if (error instanceof SlowDown) return askedUntil(error, failures, now);
  if (error instanceof FixCredentials)
    return new Date(now.getTime() + pauseMs(pauses.credentials, failures));
  return new Date(Math.ceil((now.getTime() + 1) / 3_600_000) * 3_600_000);
}

import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import {
  BadReply,
  FixCredentials,
  FixRequest,
  RetryLater,
  StopForHour,
  StopForToday,
  type StorefrontError,
} from "../storefront/errors.ts";
import { transact } from "../db/transact.ts";
import { closeDay, type BudgetRules } from "./budget.ts";
import type { PlannedCall } from "./call.ts";
import { settleCall } from "./calls.ts";
import { readCrawlState, setBlock, strangeAnswers, type Block } from "./pause.ts";
import { StrangeAnswer, subjectOf } from "./strange.ts";
import type { Watch } from "./watch.ts";

/** First and longest pause after failures in a row, in milliseconds. */
const PAUSES = {
  retry: { firstMs: 1000, maxMs: 5 * 60_000 },
  /** Wrong credentials need a person: probe rarely. */
  credentials: { firstMs: 60_000, maxMs: 3_600_000 },
  strange: { firstMs: 60_000, maxMs: 3_600_000 },
};

/** Does what the failure's class says the caller must do, and writes the ledger, in one transaction. */
export async function settleFailure(
  context: {
    db: Db;
    clock: Clock;
    logger: Logger;
    rules: BudgetRules;
    watch: Watch;
    probes: Block | null;
  },
  call: PlannedCall,
  ledger: { callId: number; durationMs: number },
  error: StorefrontError,
): Promise<void> {
  const { db, clock, logger, rules, watch } = context;
  const now = clock.now();
  const { block } = await readCrawlState(db);
  const failures = (block?.failures ?? 0) + 1;
  const isOdd = error instanceof FixRequest || error instanceof StrangeAnswer;
  const next =
    isOdd && watch.note(subjectOf(call), { code: error.code, reason: error.message })
      ? strangeBlock(error.message, context.probes, now)
      : toBlock(error, failures, now);
  await transact(db, clock, async (tx) => {
    const fresh = await settleCall(tx, ledger.callId, {
      outcome: error.code,
      error: error.message,
      finishedAt: now,
      durationMs: ledger.durationMs,
    });
    if (!fresh) return;
    if (error instanceof StopForToday) await closeDay(tx, rules, ledger.callId, now);
    if (error instanceof FixRequest) await call.refused(tx, error.message, now, ledger.callId);
    if (error instanceof StrangeAnswer) await call.doubted(tx, error.message, now, error.found);
    if (next) await setBlock(tx, next, now);
  });
  logger.warn(
    { code: error.code, job: call.job, callId: ledger.callId, retryAt: next?.until },
    `call failed: ${error.message}`,
  );
  if (next?.code === strangeAnswers) tellStrange(logger, next);
}

/** The upstream's answers do not fit together: calls stop, but for one now and then that looks again. */
export function strangeBlock(reason: string, previous: Block | null, now: Date): Block {
  const failures = previous?.code === strangeAnswers ? previous.failures + 1 : 1;
  return { until: after(now, PAUSES.strange, failures), code: strangeAnswers, failures, reason };
}

export function tellStrange(logger: Logger, block: Block): void {
  logger.error(
    { code: block.code, until: block.until, probes: block.failures - 1 },
    `the upstream's answers are strange, so the crawl has stopped: ${block.reason}`,
  );
}

function toBlock(error: StorefrontError, failures: number, now: Date): Block | null {
  const until = blockedUntil(error, failures, now);
  return until && { until, code: error.code, failures, reason: error.message };
}

function blockedUntil(error: StorefrontError, failures: number, now: Date): Date | null {
  // The closed day itself holds every process back; a refused or doubted request harms only itself.
  if (error instanceof StopForToday || error instanceof FixRequest) return null;
  if (error instanceof StrangeAnswer) return null;
  if (error instanceof StopForHour) {
    return new Date(Math.ceil((now.getTime() + 1) / 3_600_000) * 3_600_000);
  }
  if (error instanceof FixCredentials) return after(now, PAUSES.credentials, failures);
  if (error instanceof RetryLater || error instanceof BadReply)
    return after(now, PAUSES.retry, failures);
  return after(now, PAUSES.retry, failures);
}

function after(now: Date, pause: { firstMs: number; maxMs: number }, failures: number): Date {
  return new Date(now.getTime() + Math.min(pause.maxMs, pause.firstMs * 2 ** (failures - 1)));
}

import type { Db } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { RetryLater } from "../../storefront/errors.ts";
import type { BudgetRules } from "./budget.ts";
import { notSent, settleCall } from "./call-log.ts";

/** Timers may fire a little early; far less than the skew. */
const earlyMs = 20;

export class NotSent extends Error {
  override readonly name = "NotSent";
}

/**
 * Sends a call only if it will arrive between its turn (`sendAt`) and `flightMs` later: with the skew
 * on both sides these are the days it is counted in. Throws `NotSent` if the process was stopped in
 * between, if its clock was set back, or if half of that time has passed: the rest would likely end in
 * a timeout that is not the upstream's fault. A call that was sent is aborted when its time ends, even
 * if the client would wait longer.
 */
export async function sendInWindow<T>(
  at: { clock: Clock; rules: BudgetRules; sendAt: Date },
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { flightMs } = at.rules;
  const lateMs = at.clock.now().getTime() - at.sendAt.getTime();
  if (lateMs < -earlyMs) throw new NotSent(`the clock was set back by ${-lateMs} ms`);
  if (lateMs > flightMs / 2) throw new NotSent(`it was late by ${lateMs} ms`);
  const window = new AbortController();
  const giveUp = () => window.abort(signal.reason);
  // Real time, as in the client: this waits for the network.
  const timer = setTimeout(
    () => window.abort(new RetryLater("timeout", "no complete answer within the time of the call")),
    flightMs - lateMs,
  );
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await send(window.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** The call stays counted: no call is ever given back to the budget. */
export async function settleNotSent(
  { db, clock, logger }: { db: Db; clock: Clock; logger: Logger },
  callId: number,
  error: NotSent,
): Promise<void> {
  const ledger = { outcome: notSent, error: error.message, durationMs: 0 };
  await transact(db, clock, (tx) => settleCall(tx, callId, { ...ledger, finishedAt: clock.now() }));
  logger.warn({ callId }, `a call was counted but not sent: ${error.message}`);
}

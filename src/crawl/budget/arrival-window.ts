import type { Db } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { RetryLater } from "../../storefront/errors.ts";
import type { BudgetRules } from "./budget.ts";
import { notSent, settleCall } from "./call-log.ts";

/** Timers may wake a little early; it is next to nothing of the skew. */
const EARLY_MS = 20;

export class NotSent extends Error {
  override readonly name = "NotSent";
}

/**
 * Sends a call only while it must still arrive within the time from its turn (`sendAt`) to `flightMs`
 * later: with the skew on both sides these are the days it is counted in. A process that was stopped
 * in between, or whose clock was set back, throws `NotSent`; so does one that has used up half of that
 * time, because the rest would rather end in a timeout that is not the upstream's fault. What has been
 * sent is given up when its time ends, however long the client's own patience is.
 */
export async function sendInWindow<T>(
  at: { clock: Clock; rules: BudgetRules; sendAt: Date },
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { flightMs } = at.rules;
  const lateMs = at.clock.now().getTime() - at.sendAt.getTime();
  if (lateMs < -EARLY_MS) throw new NotSent(`the clock went back by ${-lateMs} ms`);
  if (lateMs > flightMs / 2) throw new NotSent(`its turn had passed by ${lateMs} ms`);
  const window = new AbortController();
  const giveUp = () => window.abort(signal.reason);
  // Real time, as in the client: it is the network that is waited for.
  const timer = setTimeout(
    () => window.abort(new RetryLater("timeout", "no whole answer while the call may arrive")),
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

/** Stays counted: nothing is ever handed back. */
export async function settleNotSent(
  { db, clock, logger }: { db: Db; clock: Clock; logger: Logger },
  callId: number,
  error: NotSent,
): Promise<void> {
  const ledger = { outcome: notSent, error: error.message, durationMs: 0 };
  await transact(db, clock, (tx) => settleCall(tx, callId, { ...ledger, finishedAt: clock.now() }));
  logger.warn({ callId }, `a call was counted but not sent: ${error.message}`);
}

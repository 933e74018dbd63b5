import { readSettled, type RefreshOutcome } from "../../crawl/products/refresh-requests.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";

const ASK_EVERY_MS = 100;
/** Further callers do not wait; they are told to ask again. */
const MAX_WAITING = 500;

/** The outcome of a request, or null if it is still open after `timeoutMs`. */
export type RefreshWatch = (requestId: number, timeoutMs: number) => Promise<RefreshOutcome | null>;

/** One statement at a time reads the outcomes for all waiting callers. */
export function createRefreshWatch(db: Db, clock: Clock): RefreshWatch {
  const waiting = new Map<number, number>();
  let asking: Promise<ReadonlyMap<number, RefreshOutcome>> | null = null;

  async function ask(): Promise<ReadonlyMap<number, RefreshOutcome>> {
    await clock.sleep(ASK_EVERY_MS);
    asking = null;
    return readSettled(db, [...waiting.keys()]);
  }

  return async (requestId, timeoutMs) => {
    if (waiting.size >= MAX_WAITING && !waiting.has(requestId)) return null;
    const deadlineMs = clock.monotonicMs() + timeoutMs;
    waiting.set(requestId, (waiting.get(requestId) ?? 0) + 1);
    try {
      while (clock.monotonicMs() < deadlineMs) {
        asking ??= ask();
        const outcome = (await asking).get(requestId);
        if (outcome) return outcome;
      }
      return null;
    } finally {
      const others = (waiting.get(requestId) ?? 1) - 1;
      if (others > 0) waiting.set(requestId, others);
      else waiting.delete(requestId);
    }
  };
}

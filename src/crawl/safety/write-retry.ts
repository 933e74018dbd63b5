import { isExhausted, isOutage } from "../../db/transact.ts";
import { createBackoff } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";

export interface WriteRetry {
  /** Some answer waits to be stored: a further call would only add to them. */
  isRetrying(): boolean;
  /** Runs `store` until the database takes it; gives up, with its failure, when the signal aborts. */
  untilStored<T>(store: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * A call that is answered is spent, so its answer is kept in memory while the database is full or
 * away, and no other call is made meanwhile. At most as many are held as there are lanes.
 */
export function createWriteRetry(clock: Clock, logger: Logger): WriteRetry {
  let held = 0;

  async function again<T>(store: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const backoff = createBackoff({ firstMs: 500, maxMs: 3000 });
    // Ends with the database's recovery or the process.
    for (;;) {
      await clock.sleep(backoff.nextMs(), signal);
      try {
        return await store();
      } catch (error) {
        if (signal.aborted || !isForNow(error)) throw error;
      }
    }
  }

  return {
    isRetrying: () => held > 0,
    async untilStored(store, signal) {
      try {
        return await store();
      } catch (error) {
        if (!isForNow(error)) throw error;
        logger.error({ err: error }, "an answer cannot be stored: no call is made until it is");
        held += 1;
      }
      try {
        return await again(store, signal);
      } finally {
        held -= 1;
      }
    },
  };
}

/** The database cannot take anything now, whatever it is. */
export function isForNow(error: unknown): boolean {
  return isOutage(error) || isExhausted(error);
}

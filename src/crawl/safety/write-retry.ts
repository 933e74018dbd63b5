import { isDiskFault, isExhausted, isMemoryFault, isOutage } from "../../db/transact.ts";
import { createBackoff } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";

/** About half a minute. After that, it is the fault of this answer, of a block or the memory that it needs: others must not wait. */
const mostFaults = 12;

export type WriteRetry = ReturnType<typeof createWriteRetry>;

/**
 * An answered call is spent. So while the database is full or unavailable its answer is kept in memory,
 * and no other call is made. At most one answer a lane is kept. `onWait` is called every few seconds meanwhile.
 */
export function createWriteRetry(clock: Clock, logger: Logger, onWait: () => void = () => {}) {
  let held = 0;

  async function again<T>(store: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const backoff = createBackoff({ firstMs: 500, maxMs: 3000 });
    let faults = 0;
    // Ends with the database's recovery or the process.
    for (;;) {
      onWait();
      await clock.sleep(backoff.nextMs(), signal);
      try {
        return await store();
      } catch (error) {
        if (mayBeItsOwn(error)) faults += 1;
        if (signal.aborted || faults >= mostFaults || !mayPass(error)) throw error;
      }
    }
  }

  return {
    /** An answer waits to be stored: a further call would only add another. */
    isRetrying: () => held > 0,
    /** Runs `store` until the database accepts it; when the signal aborts, throws its latest error. */
    async untilStored<T>(store: () => Promise<T>, signal: AbortSignal): Promise<T> {
      try {
        return await store();
      } catch (error) {
        if (!mayPass(error)) throw error;
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

const mayBeItsOwn = (error: unknown) => isDiskFault(error) || isMemoryFault(error);
const mayPass = (error: unknown) => isForNow(error) || mayBeItsOwn(error);

/** The database cannot store anything now, whatever it is. */
export function isForNow(error: unknown): boolean {
  return isOutage(error) || (isExhausted(error) && !isMemoryFault(error));
}

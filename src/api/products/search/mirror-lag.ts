import { LRUCache } from "lru-cache";
import type { ApiDeps } from "../../http/deps.ts";

const trustMs = 250;
const patienceMs = 50;
/** Those that searches read at the same time: with several hosts, other sets of indexes while hosts come and go. */
const maxIndexes = 20;

/**
 * Seconds that an index is behind the catalogue, from `read`; 0 without an index. Calls `read` at most
 * a few times a second. If a read fails or takes longer than 50 ms, callers get the last value.
 */
export function createLagReader(
  { clock, logger }: Pick<ApiDeps, "clock" | "logger">,
  read: (indexUid: string) => Promise<number>,
): (indexUid: string | null) => Promise<number> {
  /** Resolves 50 ms after the last read began. */
  let patience: Promise<void> = Promise.resolve();
  const lags = new LRUCache<string, number>({
    max: maxIndexes,
    ttl: trustMs,
    ttlResolution: 0,
    perf: { now: () => 1 + clock.monotonicMs() },
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    // Waiting callers get the value, even if its entry was evicted meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(indexUid) {
      patience = clock.sleep(patienceMs);
      try {
        return await read(indexUid);
      } catch (error) {
        logger.warn({ err: error }, "the mirror's lag is not known");
        throw error;
      }
    },
  });
  return async (indexUid) => {
    if (indexUid === null) return 0;
    const fresh = lags.get(indexUid);
    if (fresh !== undefined) return fresh;
    const last = lags.get(indexUid, { allowStale: true });
    const reading = lags.forceFetch(indexUid);
    if (last === undefined) return reading;
    return Promise.race([reading.catch(() => last), patience.then(() => last)]);
  };
}

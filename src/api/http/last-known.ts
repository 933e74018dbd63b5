import type { Clock } from "../../lib/clock.ts";

/**
 * What `read` last gave, read anew once that is older than `everyMs`. A read that takes longer than
 * `patienceMs` is waited for by nobody who could have the last value instead; one at a time.
 */
export function lastKnown<T>(
  clock: Clock,
  times: { everyMs: number; patienceMs: number },
  read: () => Promise<T>,
  onFailure: (error: unknown) => void,
): () => Promise<T> {
  let last: { value: T; atMs: number } | null = null;
  let reading: { value: Promise<T>; patience: Promise<void> } | null = null;

  async function renew(): Promise<T> {
    const atMs = clock.monotonicMs();
    try {
      const value = await read();
      last = { value, atMs };
      return value;
    } finally {
      reading = null;
    }
  }

  return async () => {
    if (last && clock.monotonicMs() - last.atMs < times.everyMs) return last.value;
    if (!reading) {
      reading = { value: renew(), patience: clock.sleep(times.patienceMs) };
      // Perhaps nobody waits for it any more when it fails.
      reading.value.catch(onFailure);
    }
    const { value, patience } = reading;
    if (!last) return value;
    await Promise.race([Promise.allSettled([value]), patience]);
    return last.value;
  };
}

export interface Backoff {
  /** The pause before the next attempt in milliseconds; grows with every call. */
  nextMs(): number;
  /** Attempts since the last success. */
  attempts(): number;
  reset(): void;
}

/**
 * Exponential, with random jitter between a tenth of the step and the step, so that processes do not
 * retry at the same time.
 */
export function createBackoff(options: { firstMs: number; maxMs: number }): Backoff {
  let attempts = 0;
  return {
    nextMs() {
      const step = Math.min(options.maxMs, options.firstMs * 2 ** attempts);
      attempts += 1;
      return step * (0.1 + 0.9 * Math.random());
    },
    attempts: () => attempts,
    reset() {
      attempts = 0;
    },
  };
}

/** The only source of time; tests and simulations pass their own. */
export interface Clock {
  /** Wall clock, for days, schedules and ages. */
  now(): Date;
  /** Milliseconds that never go back, for durations and deadlines. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    // Not node:timers/promises: each request aborts a sleep, which there would create two errors.
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, ms));
      signal?.addEventListener("abort", wake, { once: true });
    });
  },
};

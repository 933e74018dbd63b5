import type { Clock } from "../lib/clock.ts";

/** `read`, at most once in `ms` and never twice at a time; a failure is not remembered. */
export function memo<T>(clock: Clock, ms: number, read: () => Promise<T>): () => Promise<T> {
  let known: { value: Promise<T>; atMs: number } | null = null;
  return async () => {
    if (known && clock.monotonicMs() - known.atMs < ms) return known.value;
    const asked = { value: read(), atMs: clock.monotonicMs() };
    known = asked;
    try {
      return await asked.value;
    } catch (error) {
      if (known === asked) known = null;
      throw error;
    }
  };
}

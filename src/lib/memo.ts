import type { Clock } from "./clock.ts";

/**
 * `read`, never twice at a time however long it takes; a value holds for `ms` from the end of its
 * reading, and a failure is not remembered.
 */
export function memo<T>(clock: Clock, ms: number, read: () => Promise<T>): () => Promise<T> {
  let known: { value: T; atMs: number } | null = null;
  let reading: Promise<T> | null = null;

  async function readAnew(): Promise<T> {
    const value = await read();
    known = { value, atMs: clock.monotonicMs() };
    return value;
  }

  return async () => {
    if (reading) return reading;
    if (known && clock.monotonicMs() - known.atMs < ms) return known.value;
    reading = readAnew().finally(() => (reading = null));
    return reading;
  };
}

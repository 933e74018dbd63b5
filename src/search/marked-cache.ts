import { createBoundedMap } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";

export interface MarkedCacheOptions<T> {
  clock: Clock;
  /** That many are held at least, twice as many at most. */
  maxEntries: number;
  keepMs: number;
  /** What is to be computed again for whoever asks next; by default nothing. */
  isKept?: (value: T) => boolean;
}

/** `mark`: another one when what was computed before no longer holds. */
export type MarkedCache<T> = (key: string, mark: string, compute: () => Promise<T>) => Promise<T>;

interface Entry<T> {
  value: Promise<T>;
  mark: string;
  atMs: number;
}

/**
 * Remembers by key for `keepMs` and no longer than under one mark; what is asked for several times
 * at once is computed once. Failures are not remembered.
 */
export function createMarkedCache<T>(options: MarkedCacheOptions<T>): MarkedCache<T> {
  const { clock, maxEntries, keepMs, isKept = () => true } = options;
  const entries = createBoundedMap<string, Entry<T>>(maxEntries);

  async function computeAnew(key: string, mark: string, compute: () => Promise<T>): Promise<T> {
    const entry = { value: compute(), mark, atMs: clock.monotonicMs() };
    entries.set(key, entry);
    let isGood = false;
    try {
      const value = await entry.value;
      isGood = isKept(value);
      return value;
    } finally {
      if (!isGood && entries.get(key) === entry) entries.delete(key);
    }
  }

  return async (key, mark, compute) => {
    const entry = entries.get(key);
    if (!entry || entry.mark !== mark || clock.monotonicMs() - entry.atMs >= keepMs) {
      return computeAnew(key, mark, compute);
    }
    return entry.value;
  };
}

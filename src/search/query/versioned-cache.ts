import type { CachePart } from "../../lib/cache.ts";

export interface MarkedCacheOptions<T> {
  /** What is to be computed again for whoever asks next; by default nothing. */
  isKept?: (value: T) => boolean;
}

/** `mark`: another one when what was computed before no longer holds. */
export type MarkedCache<T> = (key: string, mark: string, compute: () => Promise<T>) => Promise<T>;

/** A value and the mark under which it was computed. */
export interface Marked<T> {
  value: T;
  mark: string;
}

/**
 * Remembers by key as long as `part` does and no longer than under one mark; what is asked for
 * several times at once is computed once. Failures are not remembered.
 */
export function createMarkedCache<T>(
  part: CachePart<Marked<T>>,
  options: MarkedCacheOptions<T> = {},
): MarkedCache<T> {
  const { isKept = () => true } = options;
  /** By key and mark; as many as are being asked for. */
  const running = new Map<string, Promise<T>>();

  async function computeAnew(key: string, mark: string, compute: () => Promise<T>): Promise<T> {
    const value = await compute();
    if (isKept(value)) part.set(key, { value, mark });
    return value;
  }

  return async (key, mark, compute) => {
    const known = part.get(key);
    if (known?.mark === mark) return known.value;
    const job = `${mark} ${key}`;
    const joined = running.get(job);
    if (joined) return joined;
    const value = computeAnew(key, mark, compute).finally(() => running.delete(job));
    running.set(job, value);
    return value;
  };
}

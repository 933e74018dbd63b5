import { LRUCache } from "lru-cache";
import type { Clock } from "../../lib/clock.ts";

export interface Throttle {
  /** Milliseconds until this key may act again; 0: now. */
  waitMs(key: string): number;
  /** How often this key may act now. */
  remaining(key: string): number;
  /** Counts one action of this key. */
  count(key: string): void;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Most keys to remember; the least recent one is dropped first. */
const MAX_KEYS = 20_000;

/** A token bucket per key: `burst` actions, refilled evenly with `perMinute`. Memory is bounded. */
export function createThrottle(
  clock: Clock,
  limits: { perMinute: number; burst: number },
): Throttle {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_KEYS });
  const perMs = limits.perMinute / 60_000;

  function filled(key: string): Bucket {
    const atMs = clock.monotonicMs();
    const bucket = buckets.get(key);
    if (!bucket) return { tokens: limits.burst, atMs };
    return { tokens: Math.min(limits.burst, bucket.tokens + (atMs - bucket.atMs) * perMs), atMs };
  }

  return {
    waitMs(key) {
      const { tokens } = filled(key);
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs);
    },
    remaining: (key) => Math.floor(filled(key).tokens),
    count(key) {
      const bucket = filled(key);
      buckets.set(key, { ...bucket, tokens: Math.max(0, bucket.tokens - 1) });
    },
  };
}

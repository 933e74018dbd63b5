import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";
import { sizeOf } from "./size.ts";

export const defaultCacheBytes = 64 * 1024 * 1024;

/** Everything a process remembers of answers, within one bound in bytes; the least recently used goes first. */
export interface Cache {
  /** The values of one kind, each kept for `keepMs` at most; the same name opens the same values. */
  open<T extends object>(name: string, keepMs: number): CachePart<T>;
  /** Bytes held now, as `sizeOf` counts them. */
  bytes(): number;
}

export interface CachePart<T> {
  get(key: string): T | undefined;
  /** `bytes`: where more hangs on the value than the value itself. */
  set(key: string, value: T, bytes?: number): void;
}

/** An entry's own part of the memory: its slots in the cache's lists, its timer, its key's header. */
const entryBytes = 400;
/** One value may take this share of the whole, so that a giant cannot push out all others. */
const largestShare = 1 / 8;

export function createCache(clock: Clock, maxBytes = defaultCacheBytes): Cache {
  const entries = new LRUCache<string, object>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * largestShare),
    // Expired values leave by themselves, also when nobody asks for them again.
    ttlAutopurge: true,
    perf: { now: () => clock.monotonicMs() },
  });
  return {
    bytes: () => entries.calculatedSize,
    open<T extends object>(name: string, keepMs: number): CachePart<T> {
      const keyOf = (key: string) => `${name} ${key}`;
      return {
        // Safe: under this name only values of this kind are set.
        get: (key) => entries.get(keyOf(key)) as T | undefined,
        set(key, value, bytes = sizeOf(value)) {
          const size = Math.ceil(bytes) + entryBytes + 2 * key.length;
          entries.set(keyOf(key), value, { ttl: keepMs, size });
        },
      };
    },
  };
}

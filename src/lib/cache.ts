import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";
import { sizeOf } from "./size.ts";

export const defaultCacheBytes = 64 * 1024 * 1024;

/** Neither null nor undefined, which stand for nothing remembered. */
type Value = string | number | boolean | object;

/** Everything a process remembers of answers, within one bound in bytes; the least recently used goes first. */
export interface Cache {
  /**
   * The values of one kind; the same name opens the same values.
   * `timesKept`: how many times a value's own size is kept in all, with what is derived from it.
   */
  open<T extends Value>(name: string, keepMs: number, timesKept?: number): CachePart<T>;
  /** One value: what `read` gives, read again by the first who asks when it is older than `keepMs`. */
  remember<T extends Value>(name: string, keepMs: number, read: () => Promise<T>): () => Promise<T>;
  /** Bytes held now, as `sizeOf` counts them. */
  bytes(): number;
}

export interface CachePart<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  /**
   * The value under `key`; else what `read` gives, run once for all who ask meanwhile, however long it
   * takes, and kept from its end on. A failure is not remembered.
   */
  fetch(key: string, read: () => Promise<T>): Promise<T>;
}

interface Reading {
  read: () => Promise<Value>;
  /** How the value is kept. */
  settingsOf(value: Value): { ttl: number; size: number };
}

/** An entry's own part of the memory: its slots in the cache's lists, its timer, its key's header. */
const entryBytes = 400;
/** One value may take this share of the whole, so that a giant cannot push out all others. */
const largestShare = 1 / 8;

export function createCache(clock: Clock, maxBytes = defaultCacheBytes): Cache {
  const entries = new LRUCache<string, Value, Reading>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * largestShare),
    // Expired values leave by themselves, also when nobody asks for them again.
    ttlAutopurge: true,
    ttlResolution: 0,
    // An entry that was set at 0 would never expire.
    perf: { now: () => 1 + clock.monotonicMs() },
    // Whoever waits for a value gets it, also when its entry had to go meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(_, __, { options, context }) {
      const value = await context.read();
      Object.assign(options, context.settingsOf(value));
      return value;
    },
  });
  function open<T extends Value>(name: string, keepMs: number, timesKept = 1): CachePart<T> {
    const keyOf = (key: string) => `${name}: ${key}`;
    const settingsOf = (key: string, value: Value) => ({
      ttl: keepMs,
      size: Math.ceil(timesKept * sizeOf(value)) + entryBytes + 2 * key.length,
    });
    // Safe, both: under this name only values of this kind are set.
    const get = (key: string) => entries.get(keyOf(key)) as T | undefined;
    const compute = async (key: string, read: () => Promise<T>) =>
      (await entries.forceFetch(keyOf(key), {
        context: { read, settingsOf: (value) => settingsOf(key, value) },
      })) as T;
    return {
      get,
      set: (key, value) => void entries.set(keyOf(key), value, settingsOf(key, value)),
      // `get` first: it removes an expired entry, whose timer would otherwise end the reading.
      fetch: async (key, read) => get(key) ?? compute(key, read),
    };
  }
  return {
    open,
    remember<T extends Value>(name: string, keepMs: number, read: () => Promise<T>) {
      const values = open<T>(name, keepMs);
      return () => values.fetch("", read);
    },
    bytes: () => entries.calculatedSize,
  };
}

import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";

export const defaultCacheBytes = 64 * 1024 * 1024;

/** Not null or undefined, because those mean that nothing is cached. */
type Value = string | number | boolean | object;

/**
 * The answer cache of a process, with one bound in bytes. The least recently used values are dropped first. What is
 * remembered, one value of each name, has a bound of its own: a small cache would hold no value that answers need again and again.
 */
export interface Cache {
  /**
   * The values of one kind; the same name opens the same values. `keepMs`: how long, for all or by value.
   * `timesKept`: the memory of a value with what callers derive from it, as a multiple of its own size.
   */
  open<T extends Value>(name: string, keepMs: KeepMs<T>, timesKept?: number): CachePart<T>;
  /**
   * Caches one value of `read` for `keepMs`; the next caller after that reads it again. For `staleMs` more, callers get
   * the old value and do not wait for the new one (stale while revalidate), nor for a read that fails.
   */
  remember<T extends Value>(
    name: string,
    keepMs: number,
    read: () => Promise<T>,
    staleMs?: number,
  ): () => Promise<T>;
  /** Present size in bytes, counted by `sizeOf`. */
  bytes(): number;
}

type KeepMs<T> = number | ((value: T) => number);

export interface CachePart<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  /**
   * The value under `key`, or else the result of `read`. Concurrent callers share one read (single
   * flight). The value is cached from the end of the read on; a failure is not cached.
   */
  fetch(key: string, read: () => Promise<T>): Promise<T>;
}

interface Reading {
  read: () => Promise<Value>;
  /** The cached form of the value. */
  settingsOf(value: Value): { ttl: number; size: number };
}

/** Overhead of an entry: its slots in the cache's lists, its timer, the header of its key. */
const entryBytes = 400;
/** The largest share of the cache for one value, so that one large value cannot push out all others. */
const largestShare = 1 / 8;
/** For what is remembered once for all, beside the answers. */
const rememberedBytes = 64 * 1024 * 1024;

export function createCache(clock: Clock, maxBytes = defaultCacheBytes): Cache {
  const answers = createEntries(clock, maxBytes);
  const remembered = createEntries(clock, rememberedBytes);
  return {
    open: (...options) => openPart(answers, ...options),
    remember<T extends Value>(name: string, keepMs: number, read: () => Promise<T>, staleMs = 0) {
      const values = openPart<{ value: T; atMs: number }>(remembered, name, keepMs + staleMs);
      let reading: Promise<{ value: T; atMs: number }> | undefined;
      const readAnew = async () => ({ value: await read(), atMs: clock.monotonicMs() });
      // One at a time, also when the old value expires while it is being replaced.
      function readOnce() {
        reading ??= readAnew().finally(() => {
          reading = undefined;
        });
        return reading;
      }
      async function replace(): Promise<void> {
        const [anew] = await Promise.allSettled([readOnce()]);
        if (anew.status === "fulfilled") values.set("", anew.value);
      }
      return async () => {
        const known = values.get("");
        if (known === undefined) return (await values.fetch("", readOnce)).value;
        const isOld = clock.monotonicMs() - known.atMs > keepMs;
        if (isOld && reading === undefined) void replace();
        return known.value;
      };
    },
    bytes: () => answers.calculatedSize + remembered.calculatedSize,
  };
}

type Entries = LRUCache<string, Value, Reading>;

function createEntries(clock: Clock, maxBytes: number): Entries {
  return new LRUCache<string, Value, Reading>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * largestShare),
    // Expired values are removed even if nobody asks for them again.
    ttlAutopurge: true,
    ttlResolution: 0,
    // An entry with the start time 0 would never expire.
    perf: { now: () => 1 + clock.monotonicMs() },
    // Waiting callers get the value, even if its entry was evicted meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(_, __, { options, context }) {
      const value = await context.read();
      Object.assign(options, context.settingsOf(value));
      return value;
    },
  });
}

function openPart<T extends Value>(
  entries: Entries,
  name: string,
  keepMs: KeepMs<T>,
  timesKept = 1,
): CachePart<T> {
  const keyOf = (key: string) => `${name}: ${key}`;
  const settingsOf = (key: string, value: T) => ({
    ttl: typeof keepMs === "number" ? keepMs : keepMs(value),
    size: Math.ceil(timesKept * sizeOf(value)) + entryBytes + 2 * key.length,
  });
  // Safe, all: only values of this kind are set under this name.
  const get = (key: string) => entries.get(keyOf(key)) as T | undefined;
  const compute = async (key: string, read: () => Promise<T>) =>
    (await entries.forceFetch(keyOf(key), {
      context: { read, settingsOf: (value) => settingsOf(key, value as T) },
    })) as T;
  return {
    get,
    set: (key, value) => void entries.set(keyOf(key), value, settingsOf(key, value)),
    // Call `get` first: it removes an expired entry, whose timer would otherwise abort the read.
    fetch: async (key, read) => get(key) ?? compute(key, read),
  };
}

const wide = /[\u0100-\uFFFF]/;
const pointer = 8;
const header = 24;

/**
 * Estimates the heap bytes of a value with everything that it refers to. Measured on V8, which stores
 * Latin-1 texts with one byte per character and all others with two.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return header + (wide.test(value) ? 2 : 1) * value.length;
  // V8 stores small integers in the pointer itself.
  if (typeof value === "number") return Number.isInteger(value) ? 0 : 16;
  return typeof value === "object" && value !== null ? sizeOfObject(value) : 0;
}

function sizeOfObject(value: object): number {
  let bytes = header;
  if (value instanceof Date) return 4 * header;
  if (ArrayBuffer.isView(value)) return 4 * header + value.byteLength;
  if (value instanceof Map) {
    for (const [key, held] of value) bytes += 5 * pointer + sizeOf(key) + sizeOf(held);
  } else if (Array.isArray(value)) {
    for (const held of value) bytes += pointer + sizeOf(held);
  } else {
    for (const held of Object.values(value)) bytes += 2 * pointer + sizeOf(held);
  }
  return bytes;
}

import type { Allowance } from "../../../keys/key-use.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { ApiContext, ApiDeps } from "../deps.ts";
import { Problem } from "../problems/problem.ts";
import { LRUCache } from "lru-cache";

/** Counts requests against the limit of their clients' addresses, and throws 429 beyond it; 0: no limit. */
export function createAddressLimit(
  deps: Pick<ApiDeps, "clock" | "clientAddress" | "rateLimitPerMinute">,
): (c: ApiContext) => void {
  const { clock, clientAddress, rateLimitPerMinute: perMinute } = deps;
  if (perMinute === 0) return () => {};
  const throttle = createThrottle(clock, { perMinute });
  return (c) => {
    const client = clientAddress(c);
    const waitMs = throttle.waitMs(client);
    if (waitMs === 0) throttle.count(client);
    const remaining = throttle.remaining(client);
    const resetSeconds = Math.ceil(((perMinute - remaining) * 60) / perMinute);
    tellLimits(c, [
      { name: "address", limit: perMinute, remaining, resetSeconds, windowSeconds: 60 },
    ]);
    if (waitMs > 0) throw tooManyRequests("too_many_requests", waitMs);
  };
}

type ToldLimit = Omit<Allowance, "name"> & { name: string };

/**
 * `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10, and the three older
 * headers for the limit that is nearest to its end.
 */
export function tellLimits(c: ApiContext, limits: readonly ToldLimit[]): void {
  const [nearest] = limits.toSorted((a, b) => a.remaining - b.remaining);
  if (!nearest) return;
  const policies = limits.map(
    ({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`,
  );
  const states = limits.map(
    ({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`,
  );
  c.header("RateLimit-Policy", policies.join(", "));
  c.header("RateLimit", states.join(", "));
  c.header("RateLimit-Limit", String(nearest.limit));
  c.header("RateLimit-Remaining", String(nearest.remaining));
  c.header("RateLimit-Reset", String(nearest.resetSeconds));
}

export function tooManyRequests(code: string, waitMs: number): Problem {
  return new Problem({
    status: 429,
    code,
    detail: "too many requests from this address",
    headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) },
  });
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Most keys to remember; the least recent one is dropped first. */
const maxKeys = 20_000;

/** A token bucket per key: `burst` actions, refilled evenly with `perMinute`. Memory is bounded. */
export function createThrottle(
  clock: Clock,
  { perMinute, burst = perMinute }: { perMinute: number; burst?: number },
) {
  // Not `max`, which takes the memory of all of them at once.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  const perMs = perMinute / 60_000;

  function filled(key: string): Bucket {
    const atMs = clock.monotonicMs();
    const bucket = buckets.get(key);
    if (!bucket) return { tokens: burst, atMs };
    return { tokens: Math.min(burst, bucket.tokens + (atMs - bucket.atMs) * perMs), atMs };
  }

  return {
    /** Milliseconds until this key may act again; 0: now. */
    waitMs(key: string): number {
      const { tokens } = filled(key);
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs);
    },
    /** How often this key may act now. */
    remaining: (key: string) => Math.floor(filled(key).tokens),
    /** Counts one action of this key. */
    count(key: string): void {
      const bucket = filled(key);
      buckets.set(key, { ...bucket, tokens: Math.max(0, bucket.tokens - 1) });
    },
  };
}

import type { MiddlewareHandler } from "hono";
import type { Clock } from "../../lib/clock.ts";
import type { ClientAddress } from "./client-address.ts";
import type { ApiEnv } from "./env.ts";
import { Problem } from "./problem.ts";
import { createThrottle } from "./throttle.ts";

/** Not limited: orchestrators and scrapers need an answer also under high load. */
const EXEMPT = new Set(["/healthz", "/readyz", "/metrics"]);

/** Limits the requests per minute and client, for all addresses; 0: no limit. */
export function rateLimit(
  clock: Clock,
  clientAddress: ClientAddress,
  perMinute: number,
): MiddlewareHandler<ApiEnv> {
  if (perMinute === 0) return (_c, next) => next();
  const throttle = createThrottle(clock, { perMinute, burst: perMinute });
  return async (c, next) => {
    if (!EXEMPT.has(c.req.path)) {
      const client = clientAddress(c);
      const waitMs = throttle.waitMs(client);
      if (waitMs > 0) throw tooManyRequests("too_many_requests", waitMs);
      throttle.count(client);
    }
    await next();
  };
}

export function tooManyRequests(code: string, waitMs: number): Problem {
  return new Problem({
    status: 429,
    code,
    detail: "too many requests from this address",
    headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) },
  });
}

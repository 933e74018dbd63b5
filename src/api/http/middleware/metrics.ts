import { matchedRoutes } from "hono/route";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Clock } from "../../../lib/clock.ts";
import type { Logger } from "../../../lib/logger.ts";
import type { ApiContext, Middleware } from "../deps.ts";

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts and logs each request by its route's pattern, never by text of the caller. */
export function observeRequests(options: {
  registry: Registry;
  clock: Clock;
  logger: Logger;
}): Middleware {
  const { registry, clock, logger } = options;
  const requests = new Counter({
    name: "kurabe_http_requests_total",
    help: "Requests answered",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "kurabe_http_request_duration_seconds",
    help: "Time until the answer is ready to be sent",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return async (c, next) => {
    const startedMs = clock.monotonicMs();
    await next();
    const ms = clock.monotonicMs() - startedMs;
    const route = routePattern(c);
    const method = knownMethods.has(c.req.method) ? c.req.method : "other";
    requests.inc({ method, route, status: c.res.status });
    durations.observe({ route }, ms / 1000);
    const effect = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
    logger[effect ? "info" : "debug"](
      { method, route, status: c.res.status, ms: Math.round(ms), requestId: c.get("requestId") },
      "request",
    );
  };
}

/** Middleware is registered for all methods, so the other entry is the route that answers. */
function routePattern(c: ApiContext): string {
  return matchedRoutes(c).findLast((route) => route.method !== "ALL")?.path ?? "none";
}

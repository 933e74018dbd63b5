import { matchedRoutes } from "hono/route";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { ApiContext, ApiDeps, Middleware } from "../deps.ts";

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type ObserveDeps = Pick<ApiDeps, "registry" | "clock" | "logger">;

/** Counts and logs each request by its route's pattern, never by text of the caller. */
export function observeRequests({ registry, clock, logger }: ObserveDeps): Middleware {
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

/** A gauge of what `read` says at a scrape; null: it has no value. */
export function registerGauge(
  registry: Registry,
  { name, help }: { name: string; help: string },
  read: () => number | null,
): void {
  const collect = function (this: Gauge) {
    const value = read();
    if (value === null) this.remove();
    else this.set(value);
  };
  registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
}

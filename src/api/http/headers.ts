import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "./env.ts";

const everywhere = {
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/**
 * Sets headers before the handlers run, so that errors have them too and no finished response must be
 * rebuilt. Handlers of pages replace the policy by their own.
 */
export function securityHeaders(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    for (const [name, value] of Object.entries(everywhere)) c.header(name, value);
    await next();
  };
}

const preflight = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, If-None-Match, X-Api-Key, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};

/** InstantSearch only reads, but with POST, and sends its API key as a Bearer token. */
const meiliPreflight = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, X-Api-Key, X-Meilisearch-Client, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};

const exposed = [
  "ETag",
  "RateLimit",
  "RateLimit-Limit",
  "RateLimit-Policy",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Request-Id",
].join(", ");

/** Any site may read the public API without credentials. The ops API allows no other site. */
export function publicCors(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (isOps(c.req.path)) {
      c.header("Cross-Origin-Resource-Policy", "same-origin");
      return next();
    }
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    c.header("Vary", "Accept-Encoding");
    const { method } = c.req;
    const isMeili = c.req.path.startsWith("/meili/");
    if (isMeili || method === "GET" || method === "HEAD" || method === "OPTIONS") {
      c.header("Access-Control-Allow-Origin", "*");
      c.header("Access-Control-Expose-Headers", exposed);
    }
    if (method === "OPTIONS") return c.body(null, 204, isMeili ? meiliPreflight : preflight);
    return next();
  };
}

export function isOps(path: string): boolean {
  return path === "/ops" || path.startsWith("/ops/");
}

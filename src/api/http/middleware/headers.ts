import type { Middleware } from "../deps.ts";

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
export function securityHeaders(): Middleware {
  return async (c, next) => {
    for (const [name, value] of Object.entries(everywhere)) c.header(name, value);
    await next();
  };
}

const preflight = {
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, If-None-Match, If-Range, Last-Event-ID, Range, X-Api-Key, X-Meilisearch-Client, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};
const exposed =
  "Accept-Ranges, Content-Range, ETag, Location, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

/**
 * Pages of any site may use the public API, without cookies, with every method that `methodsOf` has for
 * the address. The ops API and the console allow no other site.
 */
export function publicCors(methodsOf: (path: string) => readonly string[]): Middleware {
  return async (c, next) => {
    if (isOps(c.req.path)) {
      c.header("Cross-Origin-Resource-Policy", "same-origin");
      return next();
    }
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    c.header("Vary", "Accept-Encoding");
    const { method, path } = c.req;
    const isApi = isPublicApi(path);
    if (isApi || method === "GET" || method === "HEAD" || method === "OPTIONS") {
      c.header("Access-Control-Allow-Origin", "*");
      c.header("Access-Control-Expose-Headers", exposed);
    }
    if (method !== "OPTIONS") return next();
    const allowed = methodsOf(path).toSorted();
    const methods = isApi ? allowed : ["GET", "HEAD"];
    if (allowed.length > 0) c.header("Allow", [...allowed, "OPTIONS"].join(", "));
    return c.body(null, 204, {
      ...preflight,
      "Access-Control-Allow-Methods": methods.join(", "),
    });
  };
}

/** Other addresses are pages and files, whose forms are for our own pages alone, or those of ops. */
export function isPublicApi(path: string): boolean {
  return /^\/(v1|meili)\//.test(path);
}

export function isOps(path: string): boolean {
  return path === "/ops" || path.startsWith("/ops/");
}

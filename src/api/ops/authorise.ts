import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "../http/env.ts";
import { Problem } from "../http/problem.ts";
import type { TokenGate } from "./token-gate.ts";

/**
 * Lets through who shows the ops token; before routing, so that unknown addresses look the same
 * without it.
 */
export function authorise(gate: TokenGate): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.header("Cache-Control", "no-store");
    // Another scheme (a proxy's own `Basic`) shows no token, right or wrong.
    const shown = /^Bearer +(.*)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
    if (!gate.verify(c, shown)) {
      throw new Problem({
        status: 401,
        code: "unauthorized",
        detail: "send the ops token as `Authorization: Bearer …`",
        headers: { "WWW-Authenticate": 'Bearer realm="ops"' },
      });
    }
    await next();
  };
}

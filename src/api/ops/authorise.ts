import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "../http/env.ts";
import { Problem } from "../http/problem.ts";
import type { TokenGate } from "./token-gate.ts";

/**
 * Requires the ops token. Runs before routing, so that without the token unknown addresses look like
 * known ones.
 */
export function authorise(gate: TokenGate): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.header("Cache-Control", "no-store");
    // Another scheme (such as a proxy's `Basic`) counts as no token.
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

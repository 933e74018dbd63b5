import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import { Problem } from "../http/problem.ts";
import { tooManyRequests } from "../http/rate-limit.ts";
import { createThrottle } from "../http/throttle.ts";

/** Checks the ops token, for the API and for the console. */
export interface TokenGate {
  /**
   * Always accepts the right token. null means no token and does not count as a guess. Throws 429 for
   * a wrong token after too many of them.
   */
  verify(c: Context<ApiEnv>, token: string | null): boolean;
}

/** Wrong tokens per minute; as many may come at once. */
const GUESSES_A_CLIENT = 10;
const GUESSES_IN_ALL = 100;
const everyone = "everyone";

/**
 * Compares hashes, so that neither time nor length reveals anything. The comparison comes before the
 * limit, so that guesses cannot lock out an operator with the same address. That is safe, because 32
 * characters cannot be guessed.
 */
export function createTokenGate(
  deps: Pick<ApiDeps, "opsToken" | "clock" | "logger" | "clientAddress">,
): TokenGate {
  const expected = sha256(deps.opsToken);
  const guesses = createThrottle(deps.clock, limitOf(GUESSES_A_CLIENT));
  const guessesInAll = createThrottle(deps.clock, limitOf(GUESSES_IN_ALL));
  return {
    verify(c, token) {
      if (token === null) return false;
      if (timingSafeEqual(sha256(token), expected)) return true;
      const client = deps.clientAddress(c);
      const waitMs = Math.max(guesses.waitMs(client), guessesInAll.waitMs(everyone));
      if (waitMs > 0) throw tooManyRequests("too_many_guesses", waitMs);
      guesses.count(client);
      guessesInAll.count(everyone);
      deps.logger.warn({ client, requestId: c.get("requestId") }, "a wrong ops token was shown");
      return false;
    },
  };
}

/** Requires the ops token. Runs before routing, so that without the token unknown addresses look like known ones. */
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

function limitOf(perMinute: number): { perMinute: number; burst: number } {
  return { perMinute, burst: perMinute };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

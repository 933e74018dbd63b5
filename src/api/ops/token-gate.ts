import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import { tooManyRequests } from "../http/rate-limit.ts";
import { createThrottle } from "../http/throttle.ts";

/** Tells who holds the ops token, at the API and at the console's door alike. */
export interface TokenGate {
  /**
   * The right token is always right. null: nothing was shown, which is no guess. Throws 429 for a
   * wrong one while there are too many of them.
   */
  verify(c: Context<ApiEnv>, token: string | null): boolean;
}

/** Wrong tokens a minute, after as many at once. */
const GUESSES_A_CLIENT = 10;
const GUESSES_IN_ALL = 100;
const everyone = "everyone";

/**
 * Tokens are compared as hashes, so that neither time nor length tells anything. The comparison comes
 * before the count: whoever guesses spends their own answers, never the way in of who has the token
 * and may share their address. That costs no secrecy: 32 characters are not found by guessing.
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

function limitOf(perMinute: number): { perMinute: number; burst: number } {
  return { perMinute, burst: perMinute };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

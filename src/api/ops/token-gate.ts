import { createHash, timingSafeEqual } from "node:crypto";
import { eq, lt } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { revokedSession } from "../../db/schema.ts";
import type { ApiDeps, ApiContext, Middleware } from "../http/deps.ts";
import { operatorsOf, type Operator } from "../http/operators.ts";
import { tooManyRequests, createThrottle } from "../http/middleware/rate-limit.ts";
import { refuse } from "../http/problems/problem.ts";
import { recordAction, type Actor } from "./actions/audit-log.ts";

/** Checks the tokens of operators, for the API and for the console. */
export type TokenGate = ReturnType<typeof createTokenGate>;

/** Wrong tokens per minute; as many may come at once. */
const mostGuessesOfClient = 10;
const mostGuessesInAll = 100;
/** How many of these the audit log of a process keeps, so that nobody can fill it. */
const guessesAudited = 5;
const everyone = "everyone";

type GateDeps = Pick<
  ApiDeps,
  "opsToken" | "operators" | "opsDb" | "clock" | "logger" | "clientAddress"
>;

/**
 * Compares hashes, and always all of them, so that neither time nor length reveals anything. The
 * comparison comes before the limit, so that guesses cannot lock out an operator with the same address.
 * That is safe, because 32 characters cannot be guessed.
 */
export function createTokenGate(deps: GateDeps) {
  const { clock, logger } = deps;
  const expected = operatorsOf(deps).map(({ name, role, token }) => ({
    operator: { name, role },
    hash: sha256(token),
  }));
  const guesses = createThrottle(clock, { perMinute: mostGuessesOfClient });
  const guessesInAll = createThrottle(clock, { perMinute: mostGuessesInAll });
  const audited = createThrottle(clock, { perMinute: guessesAudited });

  /** Nobody waits for it: a refusal depends on no database, and takes no longer for being kept. */
  async function audit(by: Actor, code: string): Promise<void> {
    if (audited.waitMs(everyone) > 0) return;
    audited.count(everyone);
    try {
      await recordAction(deps.opsDb, by, { action: "sign_in", code }, clock.now());
    } catch (err) {
      logger.warn({ err, requestId: by.requestId }, "a failed sign-in could not be audited");
    }
  }

  return {
    /**
     * Always accepts a right token, and tells whose it is. null means no token and does not count as a
     * guess. Throws 429 for a wrong token after too many of them.
     */
    verify(c: ApiContext, token: string | null, via: Actor["via"]): Operator | null {
      if (token === null) return null;
      const shown = sha256(token);
      const [found] = expected.filter(({ hash }) => timingSafeEqual(shown, hash));
      const address = deps.clientAddress(c);
      if (found) {
        c.set("operator", { operator: found.operator.name, address });
        return found.operator;
      }
      const requestId = c.get("requestId");
      const by = { via, operator: null, address, requestId };
      const waitMs = Math.max(guesses.waitMs(address), guessesInAll.waitMs(everyone));
      if (waitMs > 0) {
        void audit(by, "too_many_guesses");
        throw tooManyRequests("too_many_guesses", waitMs);
      }
      guesses.count(address);
      guessesInAll.count(everyone);
      logger.warn({ client: address, requestId }, "a wrong ops token was shown");
      void audit(by, "unauthorized");
      return null;
    },
  };
}

/**
 * Requires a token, and for changes the role that may make them. Runs before routing, so that without
 * the token unknown addresses look like known ones.
 */
export function authorise(gate: TokenGate): Middleware {
  return async (c, next) => {
    c.header("Cache-Control", "no-store");
    // Another scheme (such as a proxy's `Basic`) counts as no token.
    const shown = /^Bearer +(.*)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
    const operator = gate.verify(c, shown, "api");
    if (!operator) {
      const detail = "send the ops token as `Authorization: Bearer …`";
      const headers = { "WWW-Authenticate": 'Bearer realm="ops"' };
      refuse(401, "unauthorized", detail, { headers });
    }
    const isRead = ["GET", "HEAD"].includes(c.req.method) || questions.has(c.req.path);
    if (!isRead) refuseReader(operator);
    await next();
  };
}

/** Asked with a body, and changing nothing. */
const questions = new Set(["/ops/v1/plan/what-if"]);

/** Throws 403 for who may only read. */
export function refuseReader({ role }: Operator): void {
  if (role === "operate") return;
  const detail = "this needs a token with the role operate; this one has the role read";
  refuse(403, "role_required", detail);
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export interface EndingSession {
  id: string;
  endsAt: Date;
}

export async function isRevoked(db: Db, { id }: Pick<EndingSession, "id">): Promise<boolean> {
  const rows = await db.select().from(revokedSession).where(eq(revokedSession.session, id));
  return rows.length > 0;
}

/**
 * Returns false if it was revoked before. Only the owner of a session can add a row, which is deleted
 * at the session's end.
 */
export async function revokeSession(tx: Tx, { id, endsAt }: EndingSession): Promise<boolean> {
  const rows = await tx
    .insert(revokedSession)
    .values({ session: id, endsAt })
    .onConflictDoNothing()
    .returning();
  return rows.length > 0;
}

export async function forgetRevokedSessions(db: Db, now: Date): Promise<void> {
  await db.delete(revokedSession).where(lt(revokedSession.endsAt, now));
}

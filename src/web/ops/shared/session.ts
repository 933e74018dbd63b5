import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { must } from "../../../lib/must.ts";
import type { Operator, OperatorToken } from "../../../api/http/operators.ts";

export const sessionSeconds = 12 * 3600;

export interface Session {
  operator: Operator;
  /** Identifies a session when it is revoked. The cookie cannot be derived from it. */
  id: string;
  endsAt: Date;
  /** Part of every form of the session. Another site cannot know it. */
  formToken: string;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Console sessions: a random value and its expiry, signed with a key derived from the operator's token.
 * So every process can check every session, and a token that is changed or removed ends those it began.
 * Postgres only stores sessions that were signed out early.
 */
export function createSessions(operators: readonly OperatorToken[]) {
  const all = operators.map(({ name, role, token }) => ({
    operator: { name, role },
    key: Buffer.from(hkdfSync("sha256", token, "", "kurabe ops console sessions", 32)),
  }));
  const keyOf = (name: string) =>
    must(all.find(({ operator }) => operator.name === name)?.key, `${name} to be an operator`);
  return {
    /** The cookie. */
    start(name: string, now: Date): string {
      const key = keyOf(name);
      const payload = `${now.getTime() + sessionSeconds * 1000}.${randomBytes(18).toString("base64url")}`;
      return `${payload}.${seal(key, "session", payload)}`;
    },
    /** null: foreign, altered or expired. Does not check whether it was signed out. */
    read(kept: string | undefined, now: Date): Session | null {
      const [, payload, until, sealed] =
        /^((\d{1,16})\.[\w-]{24})\.([\w-]{43})$/.exec(kept ?? "") ?? [];
      if (payload === undefined || sealed === undefined) return null;
      const [owner] = all.filter(({ key }) => isEqual(sealed, seal(key, "session", payload)));
      if (!owner || Number(until) <= now.getTime()) return null;
      return {
        operator: owner.operator,
        id: createHash("sha256").update(payload).digest("base64url"),
        endsAt: new Date(Number(until)),
        formToken: seal(owner.key, "form", payload),
      };
    },
    /** The same for the same request of a session, and known to nobody else. */
    secretOf(session: Session, request: string) {
      return createHmac("sha256", keyOf(session.operator.name))
        .update(`secret\n${session.id}\n${request}`)
        .digest();
    },
    /** Whether a form belongs to this session. */
    owns: (session: Session, formToken: unknown): boolean =>
      typeof formToken === "string" && isEqual(session.formToken, formToken),
  };
}

function seal(key: Buffer, purpose: string, payload: string): string {
  return createHmac("sha256", key).update(`${purpose}\n${payload}`).digest("base64url");
}

/** Compares hashes, so that time reveals nothing. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export const sessionSeconds = 12 * 3600;

export interface Session {
  /** Identifies a session when it is revoked. The cookie cannot be derived from it. */
  id: string;
  endsAt: Date;
  /** Part of every form of the session. Another site cannot know it. */
  formToken: string;
}

/**
 * Console sessions: a random value and its expiry, signed with a key derived from the ops token. So
 * every process can check every session, and a new token ends them all. Postgres only stores sessions
 * that were signed out early.
 */
export interface Sessions {
  /** The cookie. */
  start(now: Date): string;
  /** null: foreign, altered or expired. Does not check whether it was signed out. */
  read(kept: string | undefined, now: Date): Session | null;
  /** Whether a form belongs to this session. */
  owns(session: Session, formToken: unknown): boolean;
}

export function createSessions(opsToken: string): Sessions {
  const key = Buffer.from(hkdfSync("sha256", opsToken, "", "kurabe ops console sessions", 32));
  const seal = (purpose: string, payload: string) =>
    createHmac("sha256", key).update(`${purpose}\n${payload}`).digest("base64url");
  const isEqual = (a: string, b: string) => {
    const digest = (text: string) => createHmac("sha256", key).update(text).digest();
    return timingSafeEqual(digest(a), digest(b));
  };
  return {
    start(now) {
      const payload = `${now.getTime() + sessionSeconds * 1000}.${randomBytes(18).toString("base64url")}`;
      return `${payload}.${seal("session", payload)}`;
    },
    read(kept, now) {
      const [, payload, until, sealed] =
        /^((\d{1,16})\.[\w-]{24})\.([\w-]{43})$/.exec(kept ?? "") ?? [];
      if (payload === undefined || sealed === undefined) return null;
      if (!isEqual(sealed, seal("session", payload)) || Number(until) <= now.getTime()) return null;
      return {
        id: createHash("sha256").update(payload).digest("base64url"),
        endsAt: new Date(Number(until)),
        formToken: seal("form", payload),
      };
    },
    owns: (session, formToken) =>
      typeof formToken === "string" && isEqual(session.formToken, formToken),
  };
}

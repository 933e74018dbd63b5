import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export const sessionSeconds = 12 * 3600;

export interface Session {
  /** Names it where it is said to be over; tells nothing of what the browser keeps. */
  id: string;
  endsAt: Date;
  /** In every form of the session; another site cannot know it. */
  formToken: string;
}

/**
 * Sessions of the console: a random value with its end, sealed by a key that comes from the ops token.
 * Every process knows every session, and another token ends them all; only those signed out before
 * their end are kept, in Postgres.
 */
export interface Sessions {
  /** What the browser keeps. */
  start(now: Date): string;
  /** null: not ours, altered, or past its end; says nothing of signing out. */
  read(kept: string | undefined, now: Date): Session | null;
  /** Whether a form was drawn for this session. */
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

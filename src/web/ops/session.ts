import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export const sessionSeconds = 12 * 3600;

export interface Session {
  /** In every form of the session; another site cannot know it. */
  formToken: string;
}

/**
 * Sessions of the console: a random value with its end, sealed by a key that comes from the ops token.
 * Nothing is kept on the server, every process knows every session, and another token ends them all.
 */
export interface Sessions {
  /** What the browser keeps. */
  start(now: Date): string;
  /** null: not ours, altered, or over. */
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
      return { formToken: seal("form", payload) };
    },
    owns: (session, formToken) =>
      typeof formToken === "string" && isEqual(session.formToken, formToken),
  };
}

import { describe, expect, it } from "vitest";
import { createSessions, sessionSeconds } from "./session.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const token = "a-token-of-the-tests-with-more-than-32-characters";

describe("sessions of the console", () => {
  const sessions = createSessions(token);

  it("are known to every process with the same token, until they end", () => {
    const kept = sessions.start(now);
    const other = createSessions(token);
    expect(other.read(kept, later(sessionSeconds - 1))).not.toBeNull();
    expect(other.read(kept, later(sessionSeconds))).toBeNull();
  });

  it("end when the token changes", () => {
    expect(createSessions(`${token}x`).read(sessions.start(now), now)).toBeNull();
  });

  it("cannot be made or prolonged by who holds one", () => {
    const kept = sessions.start(now);
    const [until, nonce, sealed] = kept.split(".");
    for (const csrfMismatch of [
      undefined,
      "",
      `${Number(until) + 1}.${nonce}.${sealed}`,
      `${until}.${"A".repeat(24)}.${sealed}`,
      `${until}.${nonce}.${"A".repeat(43)}`,
      `${until}.${nonce}`,
      `${kept}A`,
    ]) {
      expect(sessions.read(csrfMismatch, now)).toBeNull();
    }
  });

  it("own their forms and no others", () => {
    const mine = sessions.read(sessions.start(now), now);
    const yours = sessions.read(sessions.start(now), now);
    if (!mine || !yours) throw new Error("both are good");
    expect(sessions.owns(mine, mine.formToken)).toBe(true);
    expect(sessions.owns(mine, yours.formToken)).toBe(false);
    for (const wrong of [undefined, "", "é", 5, ["x"]]) {
      expect(sessions.owns(mine, wrong)).toBe(false);
    }
  });

  it("tell nothing of the token", () => {
    const kept = sessions.start(now);
    expect(kept).not.toContain(token.slice(0, 8));
    expect(sessions.start(now)).not.toBe(kept);
  });
});

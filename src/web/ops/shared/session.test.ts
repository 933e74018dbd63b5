import { describe, expect, it } from "vitest";
import { createSessions, sessionSeconds } from "./session.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const token = "a-token-of-the-tests-with-more-than-32-characters";
const aya = { name: "aya", role: "read", token } as const;

describe("sessions of the console", () => {
  const sessions = createSessions([aya]);

  it("are known to every process with the same token, until they end", () => {
    const kept = sessions.start("aya", now);
    const other = createSessions([aya]);
    expect(other.read(kept, later(sessionSeconds - 1))).not.toBeNull();
    expect(other.read(kept, later(sessionSeconds))).toBeNull();
  });

  it("end when the token changes", () => {
    expect(
      createSessions([{ ...aya, token: `${token}x` }]).read(sessions.start("aya", now), now),
    ).toBeNull();
  });

  it("tell whose they are, with the role of now, and end with their own operator's token alone", () => {
    const ken = { name: "ken", role: "operate", token: `${token}-of-ken` } as const;
    const both = createSessions([aya, ken]);
    const [ayas, kens] = [both.start("aya", now), both.start("ken", now)];
    expect(both.read(kens, now)?.operator).toEqual({ name: "ken", role: "operate" });
    const promoted = createSessions([{ ...aya, role: "operate" }]);
    expect(promoted.read(ayas, now)?.operator).toEqual({ name: "aya", role: "operate" });
    expect(promoted.read(kens, now)).toBeNull();
  });

  it("cannot be made or prolonged by who holds one", () => {
    const kept = sessions.start("aya", now);
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
    const mine = sessions.read(sessions.start("aya", now), now);
    const yours = sessions.read(sessions.start("aya", now), now);
    if (!mine || !yours) throw new Error("both are good");
    expect(sessions.owns(mine, mine.formToken)).toBe(true);
    expect(sessions.owns(mine, yours.formToken)).toBe(false);
    for (const wrong of [undefined, "", "é", 5, ["x"]]) {
      expect(sessions.owns(mine, wrong)).toBe(false);
    }
  });

  it("tell nothing of the token", () => {
    const kept = sessions.start("aya", now);
    expect(kept).not.toContain(token.slice(0, 8));
    expect(sessions.start("aya", now)).not.toBe(kept);
  });
});

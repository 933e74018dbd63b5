import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toModifiedAt } from "./modified.ts";

const now = new Date("2026-01-01T00:00:00Z");
const DAY_S = 86_400;

describe("the instant of `modified`", () => {
  it("U15: is the same whether it was sent in seconds or in milliseconds", () => {
    const seconds = fc.integer({ min: 946_684_800, max: now.getTime() / 1000 + DAY_S });
    fc.assert(
      fc.property(seconds, (s) => {
        expect(toModifiedAt(s, now)).toEqual(new Date(s * 1000));
        expect(toModifiedAt(s * 1000, now)).toEqual(new Date(s * 1000));
      }),
    );
  });

  it.each([
    ["0", 0],
    ["before 2000", 946_684_799],
    ["later than tomorrow", now.getTime() / 1000 + DAY_S + 1],
    ["later than tomorrow in milliseconds", now.getTime() + DAY_S * 1000 + 1],
    ["microseconds", now.getTime() * 1000],
    ["beyond all dates", Number.MAX_SAFE_INTEGER],
  ])("U15: is unknown, not guessed, for a number that is %s", (_, modified) => {
    expect(toModifiedAt(modified, now)).toBeNull();
  });
});

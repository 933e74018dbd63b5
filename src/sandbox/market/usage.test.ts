import { describe, expect, it } from "vitest";
import { systemClock, type Clock } from "../../lib/clock.ts";
import { createMemoryJournal } from "../state/journal.ts";
import { createUsage } from "./usage.ts";

function usageAt(startIso: string, limits: { hour: number; day: number }, timezone = "Asia/Tokyo") {
  let now = new Date(startIso);
  const clock: Clock = { ...systemClock, now: () => now };
  const usage = createUsage({ journal: createMemoryJournal(), clock, timezone, limits });
  return {
    admit: (user: string, at?: string) => {
      if (at !== undefined) now = new Date(at);
      return usage.admit(user);
    },
  };
}

describe("the limits of a user", () => {
  it("the hour's starts anew at minute 00, not an hour after the first call", () => {
    const { admit } = usageAt("2026-03-01T10:59:00Z", { hour: 2, day: 100 });
    expect([admit("a"), admit("a"), admit("a")]).toEqual([
      "admitted",
      "admitted",
      "hour_api_limit",
    ]);
    expect(admit("a", "2026-03-01T10:59:59.999Z")).toBe("hour_api_limit");
    expect(admit("a", "2026-03-01T11:00:00Z")).toBe("admitted");
  });

  it("minute 00 is that of the zone", () => {
    const { admit } = usageAt("2026-03-01T10:00:00Z", { hour: 1, day: 100 }, "Asia/Kolkata");
    expect(admit("a")).toBe("admitted");
    expect(admit("a", "2026-03-01T10:29:59Z")).toBe("hour_api_limit");
    expect(admit("a", "2026-03-01T10:30:00Z")).toBe("admitted");
  });

  it("the day's starts anew when the date changes in the zone", () => {
    const { admit } = usageAt("2026-03-01T13:30:00Z", { hour: 10, day: 2 });
    expect([admit("a"), admit("a"), admit("a")]).toEqual(["admitted", "admitted", "day_api_limit"]);
    expect(admit("a", "2026-03-01T14:59:59Z")).toBe("day_api_limit");
    expect(admit("a", "2026-03-01T15:00:00Z")).toBe("admitted");
  });

  it("are each user's own, and a refused call counts towards none", () => {
    const { admit } = usageAt("2026-03-01T10:00:00Z", { hour: 1, day: 2 });
    expect([admit("a"), admit("a"), admit("a"), admit("b")]).toEqual([
      "admitted",
      "hour_api_limit",
      "hour_api_limit",
      "admitted",
    ]);
    expect(admit("a", "2026-03-01T11:00:00Z")).toBe("admitted");
  });
});

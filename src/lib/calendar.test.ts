import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarDay, dayStart, isTimezone, nextDayStart } from "./calendar.ts";

describe("the upstream's calendar", () => {
  it("changes the date at midnight of the zone, not of UTC", () => {
    expect(calendarDay(new Date("2026-11-20T14:59:59Z"), "Asia/Tokyo")).toBe("2026-11-20");
    expect(calendarDay(new Date("2026-11-20T15:00:00Z"), "Asia/Tokyo")).toBe("2026-11-21");
    expect(nextDayStart(new Date("2026-11-20T14:59:59Z"), "Asia/Tokyo").toISOString()).toBe(
      "2026-11-20T15:00:00.000Z",
    );
  });

  it("U23: knows the days of 23 and 25 hours of a zone with daylight saving", () => {
    const hours = (noon: string) => {
      const at = new Date(noon);
      return (
        (nextDayStart(at, "Europe/Berlin").getTime() - dayStart(at, "Europe/Berlin").getTime()) /
        3_600_000
      );
    };
    expect(hours("2026-03-29T10:00:00Z")).toBe(23);
    expect(hours("2026-10-25T10:00:00Z")).toBe(25);
    expect(hours("2026-06-01T10:00:00Z")).toBe(24);
  });

  it("puts every instant between the edges of its own day", () => {
    const instants = fc.date({
      min: new Date("2001-01-01"),
      max: new Date("2099-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        instants,
        fc.constantFrom("Asia/Tokyo", "Europe/Berlin", "America/New_York", "UTC"),
        (at, zone) => {
          const start = dayStart(at, zone);
          const end = nextDayStart(at, zone);
          expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
          expect(end.getTime()).toBeGreaterThan(at.getTime());
          expect(calendarDay(start, zone)).toBe(calendarDay(at, zone));
          expect(calendarDay(new Date(end.getTime() - 1000), zone)).toBe(calendarDay(at, zone));
          expect(calendarDay(end, zone)).not.toBe(calendarDay(at, zone));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("tells a zone from a typing error", () => {
    expect(isTimezone("Asia/Tokyo")).toBe(true);
    expect(isTimezone("Asia/Tokio")).toBe(false);
  });
});

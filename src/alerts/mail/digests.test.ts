import { expect, it } from "vitest";
import { nextDigestAt } from "./address.ts";

const next = (choice: "daily" | "weekly", now: string, timezone = "Asia/Tokyo") =>
  nextDigestAt(choice, new Date(now), timezone).toISOString();

it("a daily digest is due at eight in the morning of the marketplace", () => {
  expect(next("daily", "2026-11-22T22:59:59Z")).toBe("2026-11-22T23:00:00.000Z");
  expect(next("daily", "2026-11-22T23:00:00Z")).toBe("2026-11-23T23:00:00.000Z");
});

it("a weekly digest is due on Mondays", () => {
  expect(next("weekly", "2026-11-22T22:59:59Z")).toBe("2026-11-22T23:00:00.000Z");
  expect(next("weekly", "2026-11-22T23:00:00Z")).toBe("2026-11-29T23:00:00.000Z");
  expect(next("weekly", "2026-11-18T03:00:00Z", "UTC")).toBe("2026-11-23T08:00:00.000Z");
});

it.each([
  ["Europe/Berlin", "2026-03-28T23:30:00Z", "2026-03-29T06:00:00.000Z"],
  ["Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T07:00:00.000Z"],
  ["Australia/Lord_Howe", "2026-10-03T14:00:00Z", "2026-10-03T21:00:00.000Z"],
  ["Australia/Lord_Howe", "2026-04-04T14:00:00Z", "2026-04-04T21:30:00.000Z"],
])("is due at eight also on days when clocks change: %s, %s", (timezone, now, due) => {
  expect(next("daily", now, timezone)).toBe(due);
});

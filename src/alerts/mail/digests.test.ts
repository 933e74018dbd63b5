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

import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/support/clock.ts";
import { silentLogger } from "../lib/logger.ts";
import { createUpstreamClock } from "./upstream-clock.ts";

const start = "2026-03-01T12:00:00Z";
const HOUR = 3_600_000;

/** The upstream's clock as it is known after an answer that took two seconds. */
async function learned(date: string, more: Record<string, string> = {}): Promise<number> {
  const clock = createTestClock(start);
  const upstream = createUpstreamClock(clock, silentLogger);
  const answered = upstream.sending();
  await clock.advance(2000);
  answered(new Headers({ date, ...more }));
  return upstream.aheadMs();
}

const after = (ms: number) => new Date(Date.parse(start) + ms).toUTCString();

describe("the upstream's clock", () => {
  it("is ahead or behind only by what the time of the call and whole seconds leave certain", async () => {
    for (const ms of [0, 1000, 2000, -1000]) expect(await learned(after(ms))).toBe(0);
    expect(await learned(after(2 * HOUR + 2000))).toBe(2 * HOUR);
    expect(await learned(after(-2 * HOUR - 1000))).toBe(-2 * HOUR);
    expect(await learned(after(-24 * HOUR - 1000))).toBe(-24 * HOUR);
  });

  it("is not told by texts, caches and dates of other years", async () => {
    expect(await learned("yesterday")).toBe(0);
    expect(await learned(after(2 * HOUR), { age: "7200" })).toBe(0);
    expect(await learned("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(0);
  });

  it("is as the latest answer says", async () => {
    const clock = createTestClock(start);
    const upstream = createUpstreamClock(clock, silentLogger);
    upstream.sending()(new Headers({ date: after(2 * HOUR) }));
    expect(upstream.aheadMs()).toBe(2 * HOUR);
    upstream.sending()(new Headers());
    expect(upstream.aheadMs()).toBe(2 * HOUR);
    upstream.sending()(new Headers({ date: after(0) }));
    expect(upstream.aheadMs()).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/support/clock.ts";
import { createLogger, silentLogger } from "../lib/logger.ts";
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

  it("is known also after ours was set back, before the next answer: else calls would count in a day that is spent", async () => {
    const clock = createTestClock(start);
    const upstream = createUpstreamClock(clock, silentLogger);
    upstream.sending()(new Headers({ date: after(-24 * HOUR - 1000) }));
    clock.setWall(after(-24 * HOUR));
    expect(upstream.aheadMs()).toBe(0);
    clock.setWall(after(-26 * HOUR));
    expect(upstream.aheadMs()).toBe(2 * HOUR);
    upstream.sending()(new Headers({ date: after(-26 * HOUR) }));
    clock.setWall(after(-20 * HOUR));
    expect(upstream.aheadMs()).toBe(0);
  });

  it("is told of once an hour at most, whatever each answer says, and only believed where clocks can differ so much", async () => {
    const clock = createTestClock(start);
    const told: { seconds: number; msg: string }[] = [];
    const logger = createLogger(
      { level: "warn", format: "json" },
      { write: (line: string) => void told.push(JSON.parse(line)) },
    );
    const upstream = createUpstreamClock(clock, logger);
    for (const hours of [2, -3, 120, 120, -3, 0, 0]) {
      upstream.sending()(
        new Headers({ date: new Date(clock.now().getTime() + hours * HOUR).toUTCString() }),
      );
      await clock.advance(HOUR / 2);
    }
    expect(told.map(({ seconds }) => seconds / 3600)).toEqual(
      [2, 120, -3, 0].map((hours) => expect.closeTo(hours, 2)),
    );
    expect(told[0]?.msg).toContain("counted in the days of both");
    expect(told[1]?.msg).toContain("that of this machine is believed");
  });
});

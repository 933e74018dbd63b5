import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/support/clock.ts";
import { createLogger, silentLogger } from "../lib/logger.ts";
import { createUpstreamClock } from "./upstream-clock.ts";

const notAsked = () => Promise.reject(new Error("the upstream is asked for its time"));

const start = "2026-03-01T12:00:00Z";
const HOUR = 3_600_000;

/** The upstream's clock as it is known after an answer that took two seconds. */
async function learned(date: string, more: Record<string, string> = {}): Promise<number> {
  const clock = createTestClock(start);
  const upstream = createUpstreamClock({ clock, logger: silentLogger }, notAsked);
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
    const upstream = createUpstreamClock({ clock, logger: silentLogger }, notAsked);
    upstream.sending()(new Headers({ date: after(2 * HOUR) }));
    expect(await upstream.aheadMs()).toBe(2 * HOUR);
    upstream.sending()(new Headers());
    expect(await upstream.aheadMs()).toBe(2 * HOUR);
    upstream.sending()(new Headers({ date: after(0) }));
    expect(await upstream.aheadMs()).toBe(0);
  });

  it("is known also after ours was set back, before the next answer: else calls would count in a day that is spent", async () => {
    const clock = createTestClock(start);
    const upstream = createUpstreamClock({ clock, logger: silentLogger }, notAsked);
    upstream.sending()(new Headers({ date: after(-24 * HOUR - 1000) }));
    clock.setWall(after(-24 * HOUR));
    expect(await upstream.aheadMs()).toBe(0);
    clock.setWall(after(-26 * HOUR));
    expect(await upstream.aheadMs()).toBe(2 * HOUR);
  });

  /** An hour's jump of ours; from then on the upstream, asked for its time, gives this `date`. */
  async function afterJump(date: string | null) {
    const clock = createTestClock(start);
    const asked: number[] = [];
    const ask = () => {
      asked.push(clock.monotonicMs());
      return date === null ? notAsked() : Promise.resolve(new Headers({ date }));
    };
    const upstream = createUpstreamClock({ clock, logger: silentLogger }, ask);
    upstream.sending()(new Headers({ date: after(0) }));
    expect(await upstream.aheadMs()).toBe(0);
    expect(asked).toEqual([]);
    clock.setWall(after(HOUR));
    return { clock, asked, upstream };
  }

  it("is asked for once after ours was set forward: the first call would count in a day that has not begun there", async () => {
    const { upstream, asked } = await afterJump(after(0));
    const ahead = await Promise.all([upstream.aheadMs(), upstream.aheadMs()]);
    expect([...ahead, await upstream.aheadMs()]).toEqual(Array(3).fill(-HOUR + 1000));
    expect(asked).toHaveLength(1);
  });

  it("has gone on too where the machine slept", async () => {
    const { upstream } = await afterJump(after(HOUR));
    expect(await upstream.aheadMs()).toBe(0);
  });

  it("is as far behind as ours was set forward while it cannot be asked for, and is asked for every ten seconds", async () => {
    const { upstream, asked, clock } = await afterJump(null);
    expect(await upstream.aheadMs()).toBe(-HOUR);
    await clock.advance(9000);
    expect(await upstream.aheadMs()).toBe(-HOUR);
    await clock.advance(1000);
    expect(await upstream.aheadMs()).toBe(-HOUR);
    expect(asked).toEqual([0, 10_000]);
  });

  it("is not told by an answer during which ours was set", async () => {
    const { upstream, asked, clock } = await afterJump(after(0));
    const answered = upstream.sending();
    clock.setWall(after(2 * HOUR));
    answered(new Headers({ date: after(0) }));
    expect(await upstream.aheadMs()).toBe(-2 * HOUR + 1000);
    expect(asked).toHaveLength(1);
  });

  it("is believed however far it is from ours if it runs: ours may be a month off", async () => {
    const clock = createTestClock(start);
    const told: string[] = [];
    const logger = createLogger(
      { level: "warn", format: "json" },
      { write: (line: string) => void told.push(line) },
    );
    const month = 720 * HOUR;
    const upstream = createUpstreamClock({ clock, logger }, notAsked);
    const answer = () => {
      const date = new Date(clock.now().getTime() - month).toUTCString();
      upstream.sending()(new Headers({ date }));
    };
    answer();
    expect(await upstream.aheadMs()).toBe(0);
    await clock.advance(1100);
    answer();
    expect(await upstream.aheadMs()).toBeCloseTo(-month, -4);
    expect(told).toEqual([expect.stringContaining("counted in the days of both")]);
  });

  it("is told of once an hour at most, whatever each answer says, and only believed where clocks can differ so much", async () => {
    const clock = createTestClock(start);
    const told: { seconds: number; msg: string }[] = [];
    const logger = createLogger(
      { level: "warn", format: "json" },
      { write: (line: string) => void told.push(JSON.parse(line)) },
    );
    const upstream = createUpstreamClock({ clock, logger }, notAsked);
    const fixed = after(121 * HOUR);
    for (const hours of [2, -3, fixed, fixed, -3, 0, 0]) {
      const atMs = clock.now().getTime() + Number(hours) * HOUR;
      const date = typeof hours === "string" ? hours : new Date(atMs).toUTCString();
      upstream.sending()(new Headers({ date }));
      await clock.advance(HOUR / 2);
    }
    expect(told.map(({ seconds }) => seconds / 3600)).toEqual(
      [2, 120, -3, 0].map((hours) => expect.closeTo(hours, 2)),
    );
    expect(told[0]?.msg).toContain("counted in the days of both");
    expect(told[1]?.msg).toContain("that of this machine is believed");
  });
});

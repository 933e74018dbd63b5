import { describe, expect, it } from "vitest";
import type { JobRecord } from "./jobs.ts";
import { openMs, windowsOf } from "./open-time.ts";
import { callsInWindows, meanCalls } from "../plan-report.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A cron expression of these tests is the hours at which it fires, in UTC. */
const firesOf = (cron: string, dayMs: number) =>
  cron.split(",").map((hour) => dayMs + Number(hour) * HOUR);

function job(name: string, cron: string, hours: number, change: Partial<JobRecord> = {}) {
  const settings = { window_minutes: hours * 60, ...change.settings };
  const updatedAt = new Date(0);
  return { name, cron, enabled: true, updatedAt, ...change, settings } satisfies JobRecord;
}

const hours = (jobs: JobRecord[], from: number, until: number) =>
  windowsOf(jobs, firesOf, from * HOUR, until * HOUR).map((span) => [
    span.from / HOUR,
    span.until / HOUR,
  ]);

describe("the windows of jobs", () => {
  it("begin when the job fires and go on beyond midnight", () => {
    expect(hours([job("feed", "22", 4)], 0, 48)).toEqual([
      [22, 26],
      [46, 50],
    ]);
  });

  it("follow each other without a gap and are one where several are open", () => {
    const jobs = [job("feed", "0,1,2,3", 1), job("discover", "3", 2), job("revalidate", "10", 1)];
    expect(hours(jobs, 0, 24)).toEqual([
      [0, 5],
      [10, 11],
    ]);
  });

  it("are those of enabled jobs that spend calls of their own", () => {
    const jobs = [
      job("feed", "1", 1, { enabled: false }),
      job("discover", "2", 1, { settings: { weight: 0 } }),
      job("housekeeping", "3", 1),
    ];
    expect(hours(jobs, 0, 24)).toEqual([]);
  });

  it("are measured between two moments, and without a schedule are always open", () => {
    const open = windowsOf([job("feed", "22", 4)], firesOf, 0, 2 * DAY);
    expect(openMs(open, 23 * HOUR, 47 * HOUR)).toBe(4 * HOUR);
    expect(openMs(windowsOf([], undefined, 0, DAY), HOUR, 3 * HOUR)).toBe(2 * HOUR);
  });

  it("leave time for so many calls of each day, at the rate of all accounts together", () => {
    const rules = { dailyLimit: 1000, timezone: "UTC", maxCallsPerSecond: 5, firesOf };
    const minute = [job("feed", "3", 1 / 60)];
    const noon = new Date(12 * HOUR);
    const calls = callsInWindows(minute, rules, noon);
    expect(calls).toEqual(Array.from({ length: 7 }, () => 300));
    expect([200, 10_000].map((perDay) => meanCalls(perDay, calls))).toEqual([200, 300]);
    const accounts = [2, 3].map((rate) => ({
      name: `of ${rate}`,
      dailyLimit: 500,
      timezone: "UTC",
      maxCallsPerSecond: rate,
    }));
    expect(callsInWindows(minute, { ...rules, accounts }, noon)).toEqual(calls);
  });

  it("count on the days on which they are open", () => {
    const onThird = (cron: string, dayMs: number) =>
      dayMs === 2 * DAY ? firesOf(cron, dayMs) : [];
    const rules = { dailyLimit: 70, timezone: "UTC", maxCallsPerSecond: 5, firesOf: onThird };
    expect(meanCalls(70, callsInWindows([job("feed", "1", 4)], rules, new Date(0)))).toBe(10);
    expect(meanCalls(70, callsInWindows([], rules, new Date(0)))).toBe(0);
    const always = { dailyLimit: 70, timezone: "UTC" };
    expect(meanCalls(70, callsInWindows([], always, new Date(0)))).toBe(70);
  });
});

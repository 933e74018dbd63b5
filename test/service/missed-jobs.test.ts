import { beforeEach, describe, expect, it } from "vitest";
import {
  ensureJobs,
  finishRun,
  readLastRuns,
  startRun,
  updateJob,
  type JobName,
} from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createSchedule } from "../../src/service/worker/schedule.ts";
import { wallClock } from "../support/clock.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const HOUR = 3_600_000;
const test = openedForEach(createTestDb);
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

/** Every day at the time that was an hour ago; the jobs have been there for three days. */
beforeEach(async () => {
  await ensureJobs(test.db, ago(72));
  const at = ago(1);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  for (const name of ["housekeeping", "verify-mirror"] as const)
    await updateJob(test.db, name, { cron }, ago(72));
});

/** Whether a worker that has just started runs the job. */
async function isRun(name: JobName): Promise<boolean> {
  const openDueRuns = createSchedule({ db: test.db, clock: systemClock, timezone: "UTC" });
  await openDueRuns();
  await openDueRuns();
  return (await readLastRuns(test.db, name)).active !== null;
}

async function ran(name: JobName, at: Date): Promise<void> {
  const run = must(await startRun(test.db, name, "cron", at), "a run");
  await finishRun(test.db, run.id, { outcome: "done" }, at);
}

describe("a daily job at whose time no worker ran", () => {
  it("runs once when a worker starts", async () => {
    expect(await isRun("housekeeping")).toBe(true);
    const { active } = await readLastRuns(test.db, "housekeeping");
    await finishRun(test.db, must(active, "a run").id, { outcome: "done" }, new Date());
    expect(await isRun("housekeeping")).toBe(false);
  });

  it("runs also if it ran on the days before", async () => {
    await ran("housekeeping", ago(25));
    expect(await isRun("housekeeping")).toBe(true);
  });

  it("does not run again if it ran at its time, by cron or by hand since", async () => {
    await ran("housekeeping", ago(1));
    expect(await isRun("housekeeping")).toBe(false);
  });

  it("does not run if ops have changed or disabled it since", async () => {
    await updateJob(test.db, "housekeeping", { settings: { keep_runs_days: 20 } }, ago(0.5));
    expect(await isRun("housekeeping")).toBe(false);
    await updateJob(test.db, "housekeeping", { enabled: false }, ago(70));
    expect(await isRun("housekeeping")).toBe(false);
  });

  it("waits for the next time if it is due every hour anyway", async () => {
    expect(await isRun("verify-mirror")).toBe(false);
  });
});

it("after a machine has slept for hours, a job that is due every hour waits for the next time", async () => {
  await updateJob(test.db, "verify-mirror", { cron: "0 * * * *" }, ago(72));
  const { clock, pass } = wallClock(Date.parse("2026-03-02T00:30:00Z"));
  const openDueRuns = createSchedule({ db: test.db, clock, timezone: "UTC" });
  const isRunAfter = async (ms: number) => {
    pass(ms);
    await openDueRuns();
    return (await readLastRuns(test.db, "verify-mirror")).active !== null;
  };
  expect(await isRunAfter(0)).toBe(false);
  expect(await isRunAfter(4 * HOUR)).toBe(false);
  expect(await isRunAfter(0.5 * HOUR - 1)).toBe(false);
  expect(await isRunAfter(3000)).toBe(true);
});

it("a run whose window is as long as its job's pause goes on: the table is looked at when each minute begins", async () => {
  await updateJob(test.db, "revalidate", { cron: "* * * * *" }, ago(72));
  const { clock, now, pass } = wallClock(Date.parse("2026-03-02T00:30:00.010Z"));
  const look = createSchedule({ db: test.db, clock, timezone: "UTC" });
  const run = async () => must((await readLastRuns(test.db, "revalidate")).active, "a run");
  const first = (await look(), await run());
  while (now() < new Date("2026-03-02T00:32:30Z")) {
    // The timer is a little late.
    pass((await look()) + 7);
    expect(now().getTime() - (await run()).startedAt.getTime()).toBeLessThanOrEqual(60_000);
  }
  expect(await run()).toMatchObject({
    id: first.id,
    startedAt: new Date("2026-03-02T00:32:00.007Z"),
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import {
  ensureJobs,
  finishRun,
  readLastRuns,
  startRun,
  updateJob,
} from "../../src/crawl/budget/jobs.ts";
import { must } from "../../src/lib/must.ts";
import { createSchedule, nextCronRuns } from "../../src/service/worker/schedule.ts";
import { createTestClock } from "../support/clock.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);
const at = (time: string) => new Date(`2026-03-02T${time}:00Z`);
const nightly = { cron: "0 1 * * *", settings: { window_minutes: 240 } };

/** The run that is open after a worker has read the schedule at that time. */
async function openedAt(time: string) {
  const clock = createTestClock(at(time).toISOString());
  await createSchedule({ db: test.db, clock, timezone: "UTC" })();
  return (await readLastRuns(test.db, "feed")).active;
}

beforeEach(async () => {
  await ensureJobs(test.db, at("00:00"));
  await updateJob(test.db, "feed", nightly, at("00:00"));
});

describe("a crawl job with a window at night", () => {
  it("is not opened by a worker that starts by day", async () => {
    expect(await openedAt("00:59")).toBeNull();
    expect(await openedAt("05:00")).toBeNull();
    expect(await openedAt("13:00")).toBeNull();
  });

  it("is opened for the rest of its window, when a worker starts or a run by hand has ended", async () => {
    expect(await openedAt("03:00")).toMatchObject({ startedAt: at("03:00"), trigger: "startup" });
    const byHand = must(await startRun(test.db, "feed", "manual", at("03:10")), "a run");
    expect(await openedAt("03:20")).toMatchObject({ id: byHand.id });
    await finishRun(test.db, byHand.id, { outcome: "done" }, at("03:30"));
    expect(await openedAt("03:40")).toMatchObject({ startedAt: at("03:40") });
    expect(await openedAt("04:59")).toMatchObject({ startedAt: at("03:40") });
    expect(await openedAt("05:00")).toBeNull();
  });

  it("is closed and opened by a change of its schedule, and not by one of its weight", async () => {
    const run = must(await openedAt("03:00"), "a run");
    await updateJob(test.db, "feed", { settings: { weight: 2 } }, at("03:10"));
    expect(await openedAt("03:10")).toMatchObject({ id: run.id });
    await updateJob(test.db, "feed", { settings: { window_minutes: 60 } }, at("03:20"));
    expect(await openedAt("03:20")).toBeNull();
    await updateJob(test.db, "feed", { cron: "0 3 * * *" }, at("03:30"));
    expect(await openedAt("03:30")).toMatchObject({ startedAt: at("03:30") });
    expect(await openedAt("04:00")).toBeNull();
  });
});

it.each(["", "@nightly", "0 0 31 2 *"])(
  "a job whose stored expression cannot be read (%j) keeps no other from its time",
  async (cron) => {
    await updateJob(test.db, "discover", { cron }, at("00:00"));
    expect(await openedAt("03:00")).toMatchObject({ startedAt: at("03:00") });
    expect((await readLastRuns(test.db, "discover")).active).toBeNull();
    expect(nextCronRuns(cron, 3, "UTC")).toEqual([]);
  },
);

import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { readCalls } from "../support/calls.ts";
import { finishRun, readLastRuns, startRun, updateJob } from "../../src/crawl/budget/jobs.ts";
import { createFullScans } from "../../src/crawl/keywords/full-scan.ts";
import { createKeywordCaller } from "../../src/crawl/keywords/keyword-call.ts";
import { createTrials } from "../../src/crawl/keywords/proposal-trials.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createSample } from "../../src/crawl/learning/sample.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { NoConnection } from "../../src/storefront/errors.ts";
import { createSchedule } from "../../src/service/worker/schedule.ts";
import { wallClock } from "../support/clock.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const HOUR = 3_600_000;
const jobs = ["revalidate", "feed", "discover"] as const;

let crawl: TestCrawl;
afterEach(() => crawl.close());

/** Nine hours ahead at first: a clock that was set to Japan's time is taken for UTC until the network is there. */
function createClock(): { clock: Clock; setBack(): void } {
  let aheadMs = 9 * HOUR;
  const now = () => new Date(Date.now() + aheadMs);
  return { clock: { ...systemClock, now }, setBack: () => (aheadMs = 0) };
}

describe("P8: after the clock was hours ahead and is set right", () => {
  it("a pause of all calls ends, and a run started by hand", async () => {
    const { clock, setBack } = createClock();
    let isUp = false;
    const noConnection = () => Promise.reject(new NoConnection("network", "unreachable"));
    crawl = await createTestCrawl({
      clock,
      keywords: 3,
      through: (client) => ({
        search: (...call) => (isUp ? client.search(...call) : noConnection()),
        refresh: (...call) => (isUp ? client.refresh(...call) : noConnection()),
      }),
    });
    await startRun(crawl.db, "discover", "manual", clock.now());
    const failed = async () => (await readCalls(crawl.db, { limit: 10, status: "failed" })).length;
    await until(failed, { what: "a failed call" });
    isUp = true;
    setBack();
    const isOver = async () => (await readLastRuns(crawl.db, "discover")).active === null;
    await until(isOver, {
      timeoutMs: 120_000,
      what: "the end of the run, which would go on for hours",
    });
    await crawl.run("discover");
    expect(await readCalls(crawl.db, { limit: 10, status: "ok" })).not.toEqual([]);
  });

  it.each(inject("long") ? [2, 0.5] : [])(
    "a run by hand that began %s hours ahead does its whole job once, and ends",
    async (hours) => {
      const started = new Date(Date.now() + hours * HOUR);
      crawl = await createTestCrawl({ discovered: true, keywords: 3 });
      await crawl.first.stop();
      await startRun(crawl.db, "discover", "manual", started);
      crawl.addProcess();
      const runs = () => readLastRuns(crawl.db, "discover");
      await until(async () => (await runs()).active === null, { what: "the end of the run" });
      expect((await runs()).last).toMatchObject({ calls: crawl.sandbox.keywords.length });
    },
  );

  it("jobs fire by their cron expressions", async () => {
    const { clock, setBack } = createClock();
    crawl = await createTestCrawl({ clock });
    const ahead = must(await startRun(crawl.db, "housekeeping", "cron", clock.now()), "a run");
    await finishRun(crawl.db, ahead.id, { outcome: "done" }, clock.now());
    setBack();
    expect(await startRun(crawl.db, "housekeeping", "cron", clock.now())).not.toBeNull();
    expect(await startRun(crawl.db, "verify-mirror", "cron", clock.now())).not.toBeNull();
  });

  it.each([9, -9])(
    "jobs of a process that began %s hours ahead fire when it is time",
    async (hours) => {
      crawl = await createTestCrawl();
      await crawl.first.stop();
      const { db } = crawl;
      await updateJob(db, "verify-mirror", { cron: "0 3 * * *" }, new Date(0));
      const { clock, pass } = wallClock(Date.parse("2026-03-02T02:59:50Z") + hours * HOUR);
      const openDueRuns = createSchedule({ db, clock, timezone: "UTC" });
      const isRunAfter = async (ms: number) => {
        pass(ms);
        await openDueRuns();
        return (await readLastRuns(db, "verify-mirror")).active !== null;
      };
      expect(await isRunAfter(0)).toBe(false);
      expect(await isRunAfter(-hours * HOUR)).toBe(false);
      expect(await isRunAfter(12_000)).toBe(true);
    },
  );

  it.each(inject("long") ? jobs : jobs.slice(0, 1))(
    "a run of %s by hand looks at what was checked before",
    async (job) => {
      crawl = await createTestCrawl({ discovered: true, keywords: 3 });
      const later = sql`${new Date(Date.now() + 9 * HOUR).toISOString()}::timestamptz`;
      await crawl.db.execute(
        sql`update product set first_seen_at = ${later}, checked_at = ${later}`,
      );
      await crawl.db.execute(sql`
        update crawl_query set scanned_at = ${later}, feed_checked_at = ${later}, newest_checked_at = ${later}`);
      await crawl.run(job);
      const [left] = await crawl.db.execute(
        job === "revalidate"
          ? sql`select count(*) as n from product where checked_at > now() and state <> 'gone'`
          : sql`select count(*) as n from crawl_query
              where enabled and source = 'seed' and ${sql.raw(job === "feed" ? "feed" : "newest")}_checked_at > now()`,
      );
      expect(left).toEqual({ n: 0 });
    },
  );

  itLong(
    "keywords, the sample and proposals are read anew, and the threshold is stored",
    async () => {
      crawl = await createTestCrawl({ discovered: true });
      await crawl.first.stop();
      const { db, rules } = crawl;
      const [ahead, now] = [new Date(Date.now() + 9 * HOUR), new Date()];
      const state = createPlannerState(db, rules);
      let samples = 0;
      const draw = createSample(db, { ...state, setDrawn: () => (samples += 1) });
      const trials = createTrials(db, createFullScans(createKeywordCaller(state), state), state);
      const proposed = sql`crawl_query where source not in ('seed', 'ops')`;
      const readProposed = () => db.execute(sql`select q from ${proposed} order by q`);
      const save = (at: Date) => db.transaction((tx) => state.save(tx, at));

      await state.refresh(ahead.getTime());
      await draw(ahead);
      await trials.replenish(3, ahead);
      expect(await readProposed()).not.toEqual([]);
      await save(ahead);

      await addKeyword(db, { q: "新しい", source: "ops" }, now);
      await state.refresh(now.getTime());
      expect(state.queries().map(({ q }) => q)).toContain("新しい");
      await draw(now);
      expect(samples).toBe(2);
      await db.execute(sql`delete from ${proposed}`);
      await trials.replenish(3, now);
      expect(await readProposed()).not.toEqual([]);
      state.follow(7);
      await save(now);
      const [stored] = await db.execute(
        sql`select (value ->> 'price')::float8 as price from setting where key = 'crawl_price'`,
      );
      expect(stored).toEqual({ price: state.threshold() });
    },
  );
});

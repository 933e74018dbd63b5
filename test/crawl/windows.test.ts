import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { readSplit } from "../../src/crawl/budget/on-demand-quota.ts";
import {
  crawlJobs,
  ensureJobs,
  startRun,
  updateJob,
  type CrawlJob,
} from "../../src/crawl/budget/jobs.ts";
import type { Db } from "../../src/db/open.ts";
import { createFires } from "../../src/service/worker/schedule.ts";
import { readPlanReport, readPresentRules } from "../../src/crawl/plan-report.ts";
import { createTestDb } from "../support/postgres.ts";
import { createSimulatedCrawl } from "../support/simulated-crawl.ts";

const firesOf = createFires("Asia/Tokyo");
const MIDNIGHT = Date.parse("2026-03-01T15:00:00Z");
const HOUR = 3_600_000;
const atHour = (hour: number) => new Date(MIDNIGHT + hour * HOUR);

/** Every job is open from one hour of the day on for some hours. */
async function openAt(
  db: Db,
  hour: number,
  hours: number,
  jobs: readonly CrawlJob[] = crawlJobs,
): Promise<void> {
  const change = { cron: `0 ${hour} * * *`, settings: { window_minutes: 60 * hours } };
  for (const job of jobs) await updateJob(db, job, change, atHour(0));
}

it("the day's calls are spread over the windows of the jobs", async () => {
  const crawl = await createSimulatedCrawl({
    keywords: ["財布"],
    sandbox: { products: 60 },
    rules: { dailyLimit: 12, firesOf },
    idleMinutes: 10,
    startIso: atHour(0.9).toISOString(),
  });
  onTestFinished(() => crawl.close());
  await openAt(crawl.db, 1, 2);
  await crawl.pass(2.5);
  const rows = await crawl.db.execute<{ hour: number; n: number }>(sql`
    select extract(hour from reserved_at at time zone 'Asia/Tokyo')::int as hour, count(*)::int as n
    from api_call group by 1 order by 1`);
  expect(rows.map(({ hour }) => hour)).toEqual([1, 2]);
  expect(crawl.calls()).toBeGreaterThanOrEqual(11);
  // The first full scan hurries.
  expect(rows[1]?.n).toBeGreaterThanOrEqual(4);
});

it("refresh on demand leaves the jobs the calls of windows to come, and a run goes on to its window's end", async () => {
  const { db, close } = await createTestDb();
  onTestFinished(close);
  await ensureJobs(db, atHour(0));
  await openAt(db, 20, 4);
  const rules = { dailyLimit: 1000, timezone: "Asia/Tokyo", firesOf };
  const split = async (hour: number) =>
    readSplit(db, await readBudget(db, atHour(hour), rules), atHour(hour), firesOf);

  expect(await split(12)).toEqual({ ordinary: 975, onDemand: 25, endsAt: atHour(16) });
  await startRun(db, "feed", "cron", atHour(20));
  expect(await split(22)).toMatchObject({ onDemand: 504, endsAt: atHour(24) });
  await openAt(db, 23, 1, ["discover", "revalidate"]);
  await updateJob(db, "feed", { enabled: false }, atHour(20.4));
  expect(await split(20.5)).toMatchObject({ endsAt: atHour(21.5) });
  await startRun(db, "revalidate", "manual", atHour(20.6));
  expect(await split(21.5)).toMatchObject({ endsAt: atHour(24) });
});

it("the plan warns of windows that are too short for the day's calls, and forecasts with what they leave time for", async () => {
  const crawl = await createSimulatedCrawl({
    keywords: ["財布"],
    sandbox: { products: 60 },
    rules: { dailyLimit: 10_000, firesOf },
    startIso: atHour(1).toISOString(),
  });
  onTestFinished(() => crawl.close());
  await crawl.runNow("discover");
  await crawl.pass(0.5);
  const report = async () => {
    const now = crawl.clock.now();
    return readPlanReport(crawl.db, now, await readPresentRules(crawl.db, crawl.rules, now));
  };
  await openAt(crawl.db, 1, 4);
  const night = await report();
  await openAt(crawl.db, 1, 1 / 60);
  const minute = await report();
  expect(night.warnings).toEqual([]);
  expect(minute.warnings).toEqual([
    { code: "windows_too_short", reachable: 300, callsPerDay: 10_000 },
  ]);
  expect(minute.forecast?.boundDays).toBeGreaterThanOrEqual(night.forecast?.boundDays ?? Infinity);
  expect(minute.forecast?.freshness).toBeLessThan(night.forecast?.freshness ?? 0);
});

import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { readLastRuns, startRun, type CrawlJob } from "../../src/crawl/budget/jobs.ts";
import { must } from "../../src/lib/must.ts";
import { readCalls } from "../support/calls.ts";
import { createSchedule } from "../../src/service/worker/schedule.ts";
import { wallClock } from "../support/clock.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { whileHeld } from "../support/held-rows.ts";
import { until } from "../support/until.ts";

const openRun = (job: CrawlJob) =>
  `select from job_run where job = '${job}' and finished_at is null`;

async function startCrawl(): Promise<TestCrawl> {
  const crawl = await createTestCrawl({ keywords: 2 });
  onTestFinished(crawl.close);
  return crawl;
}

const isScanned = async ({ db }: TestCrawl) =>
  (await db.execute(sql`select from crawl_query where scanned_at is null`)).length === 0;

it("D5: while somebody holds the row of a run for long, its answers are stored", async () => {
  const crawl = await startCrawl();
  await startRun(crawl.db, "discover", "manual", new Date());
  await whileHeld(crawl, openRun("discover"), () =>
    until(() => isScanned(crawl), { timeoutMs: 20_000, what: "the scans" }),
  );
  await until(async () => (await readLastRuns(crawl.db, "discover")).active === null, {
    what: "the end of the run",
  });
});

it("D5: while somebody holds the row of a run whose window has ended, other runs go on", async () => {
  const crawl = await startCrawl();
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
  await crawl.first.stop();
  must(await startRun(crawl.db, "feed", "cron", hoursAgo), "a run");
  await whileHeld(crawl, openRun("feed"), async () => {
    crawl.addProcess();
    await startRun(crawl.db, "discover", "manual", new Date());
    await until(() => isScanned(crawl), { timeoutMs: 20_000, what: "the scans" });
  });
  await until(async () => (await readLastRuns(crawl.db, "feed")).active === null, {
    what: "the end of the run",
  });
});

it("D5: while somebody holds the evidence of change rates for long, answers are stored", async () => {
  const crawl = await createTestCrawl({ discovered: true });
  onTestFinished(crawl.close);
  await crawl.run("revalidate");
  const refreshes = async () =>
    (await readCalls(crawl.db, { limit: 1000, status: "ok" })).filter(
      ({ operation }) => operation === "refresh",
    ).length;
  const before = await refreshes();
  await whileHeld(crawl, "select from rate_evidence", async () => {
    await startRun(crawl.db, "revalidate", "manual", new Date());
    await until(async () => (await refreshes()) > before + 2, {
      timeoutMs: 15_000,
      what: "answers",
    });
  });
});

it("D5: while somebody holds the row of a run for long, the schedule opens the others", async () => {
  const crawl = await startCrawl();
  const { db } = crawl;
  await crawl.first.stop();
  const { clock } = wallClock(Date.parse("2026-03-02T03:00:05Z"));
  await db.execute(sql`update job set cron = '* * * * *', updated_at = '2026-03-01'`);
  for (const job of ["discover", "feed"] as const)
    must(await startRun(db, job, "startup", new Date("2026-03-02T02:58:00Z")), "a run");
  const openDueRuns = createSchedule({ db, clock, timezone: "UTC" });
  await whileHeld(crawl, openRun("discover"), async () => {
    await openDueRuns();
    const open = await db.execute(
      sql`select job, trigger from job_run where finished_at is null and started_at > '2026-03-02T03:00:00Z'`,
    );
    const names = open.map(({ job }) => job);
    expect(names).toEqual(expect.arrayContaining(["feed", "revalidate", "verify-mirror"]));
    expect(names).not.toContain("discover");
  });
});

it("D5: while somebody holds a keyword's row for long, the refreshes that prove its products deleted are stored", async () => {
  const crawl = await createTestCrawl({ discovered: true });
  onTestFinished(crawl.close);
  const [lost] = await crawl.db.execute<{ item_id: number; query_id: number }>(
    sql`select item_id, query_id from product_schedule where query_id is not null order by item_id limit 1`,
  );
  const { item_id: itemId, query_id: queryId } = must(lost, "a product of a keyword");
  crawl.sandbox.control.remove(itemId);
  await whileHeld(crawl, `select from crawl_query where id = ${queryId}`, async () => {
    await startRun(crawl.db, "revalidate", "manual", new Date());
    const isGone = async () =>
      (
        await crawl.db.execute(
          sql`select from product where item_id = ${itemId} and state = 'gone'`,
        )
      ).length === 1;
    await until(isGone, { timeoutMs: 20_000, what: "the deletion" });
  });
});

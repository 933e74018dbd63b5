import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { createChooser } from "../../src/crawl/planner.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createScanSchedule } from "../../src/crawl/keywords/scan-schedule.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const rules = { dailyLimit: 2000, timezone: "Asia/Tokyo" };

async function planScans(): Promise<number[]> {
  const state = createPlannerState(crawl.db, rules);
  const now = systemClock.now();
  await state.refresh(now.getTime());
  await createScanSchedule(crawl.db, state).renew(now);
  const rows = await crawl.db.execute<{ scan_interval_days: number }>(
    sql`select scan_interval_days from crawl_query order by id`,
  );
  return rows.map((row) => row.scan_interval_days);
}

/** Feed calls among the next ones, so many days from now. */
async function sweepsDue(days: number): Promise<number> {
  const at = new Date(systemClock.now().getTime() + days * 86_400_000);
  const chooser = createChooser(crawl.db, createPlannerState(crawl.db, rules));
  const calls = await chooser.preview(at, 100);
  return calls.filter((call) => call.job === "feed").length;
}

describe("the plan of scans", () => {
  it("is stored with every keyword, and a scan is due when its interval is over, not before", async () => {
    crawl = await createTestCrawl({ discovered: true });
    await crawl.run("feed");
    const spans = await planScans();
    expect(spans).toHaveLength(crawl.sandbox.keywords.length);
    const [soonest = Infinity] = spans.toSorted((a, b) => a - b);
    expect(soonest).toBeLessThan(2);
    expect(await sweepsDue(soonest / 2)).toBe(0);
    expect(await sweepsDue(soonest + 0.01)).toBeGreaterThan(0);
  });

  it("leaves out keywords whose feed shows no change, except for a check now and then", async () => {
    crawl = await createTestCrawl({ discovered: true });
    await crawl.run("feed");
    await crawl.db.execute(sql`update shop set silent = 1e6, rate_changes = 100, rate_days = 100`);
    await crawl.db.execute(
      sql`update crawl_query set scans = '{"arrivals":{"items":0,"weight":0,"days":1}}'`,
    );
    expect(Math.min(...(await planScans()))).toBeGreaterThan(10);
    expect(await sweepsDue(0.5)).toBe(0);
    expect(await sweepsDue(2)).toBeGreaterThan(0);
  });
});

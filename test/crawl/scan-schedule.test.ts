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

async function renew(threshold: number): Promise<number[]> {
  const value = JSON.stringify({ price: threshold, calls: 1000 });
  await crawl.db.execute(sql`
    insert into setting (key, value, updated_at) values ('crawl_price', ${value}::text::jsonb, now())
    on conflict (key) do update set value = excluded.value`);
  const state = createPlannerState(crawl.db, rules);
  const now = systemClock.now();
  await state.refresh(now.getTime());
  await createScanSchedule(crawl.db, state).renew(now);
  const rows = await crawl.db.execute<{ scan_interval_days: number }>(
    sql`select scan_interval_days from crawl_query order by id`,
  );
  return rows.map((row) => row.scan_interval_days);
}

/** What the best page of newest changes is worth, so many days from now. */
async function pageValue(days: number): Promise<number> {
  const at = new Date(systemClock.now().getTime() + days * 86_400_000);
  const chooser = createChooser(crawl.db, createPlannerState(crawl.db, rules));
  const calls = await chooser.preview(at, 100);
  return calls.find((call) => call.job === "feed")?.value ?? Number.NaN;
}

describe("scans of newest changes", () => {
  it("are worth more the longer nothing was read, and each keyword has the days after which a page is worth a call", async () => {
    crawl = await createTestCrawl({ sandbox: { products: 100 } });
    await crawl.run("discover");
    await crawl.run("feed");
    const cheap = await renew(1e-3);
    expect(cheap).toHaveLength(crawl.sandbox.keywords.length);
    const dear = await renew(0.1);
    expect(Math.min(...dear)).toBeLessThan(30);
    for (const [index, days] of cheap.entries()) expect(days).toBeLessThanOrEqual(dear[index] ?? 0);
    const [soon, later] = [await pageValue(0.1), await pageValue(0.5)];
    expect(soon).toBeGreaterThan(0);
    expect(later).toBeGreaterThan(4 * soon);
    expect(later).toBeLessThan(Infinity);
  });

  it("leave out keywords whose feed shows no change, except for a look now and then", async () => {
    crawl = await createTestCrawl({ sandbox: { products: 100 } });
    await crawl.run("discover");
    await crawl.run("feed");
    await crawl.db.execute(sql`update shop set silent = 1e6, rate_changes = 100, rate_days = 100`);
    await crawl.db.execute(
      sql`update crawl_query set scans = '{"arrivals":{"items":0,"weight":0,"days":1}}'`,
    );
    expect(Math.min(...(await renew(1)))).toBeGreaterThan(10);
    expect(await pageValue(0.5)).toBeLessThan(0.1);
    expect(await pageValue(2)).toBe(Infinity);
  });
});

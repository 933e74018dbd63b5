import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { createPlanner } from "../../src/crawl/planner.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createSample } from "../../src/crawl/learning/sample.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const rules = { dailyLimit: 2000, timezone: "Asia/Tokyo" };

/** The value of the best page of newest changes, so many days from now. */
async function feedValue(days: number): Promise<number> {
  const at = new Date(systemClock.now().getTime() + days * 86_400_000);
  const state = createPlannerState(crawl.db, rules);
  await state.refresh(at.getTime());
  await createSample(crawl.db, state)(at);
  const calls = await createPlanner(crawl.db, state).preview(at, 1000);
  return Math.max(0, ...calls.filter((call) => call.job === "feed").map((call) => call.value));
}

describe("a page of newest changes", () => {
  it("is worth nothing right after it was read, and more from hour to hour", async () => {
    crawl = await createTestCrawl({ discovered: true });
    await crawl.run("feed");
    const values = [];
    for (const days of [0, 1 / 24, 0.25, 0.5]) values.push(await feedValue(days));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values[0]).toBeLessThan(0.01 * (values.at(-1) ?? 0));
  });

  it("is worth nothing where the list shows no change, and is read now and then all the same", async () => {
    crawl = await createTestCrawl({ discovered: true });
    await crawl.run("feed");
    const usual = await feedValue(0.5);
    await crawl.db.execute(sql`update shop set silent = 1e6, rate_changes = 100, rate_days = 100`);
    await crawl.db.execute(
      sql`update crawl_query set scans = scans || '{"arrivals":{"items":0,"weight":0,"days":1}}'`,
    );
    expect(await feedValue(0.5)).toBeLessThan(usual / 100);
    expect(await feedValue(2)).toBe(Infinity);
  });
});

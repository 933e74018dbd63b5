import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { keepMaximumAge } from "../../src/crawl/learning/max-age.ts";
import { readPlanReport, readPresentRules } from "../../src/crawl/plan-report.ts";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";

let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

const categories = ["財布", "バッグ", "陶器"];

async function oldestDays(): Promise<number> {
  const [row] = await crawl.db.execute<{ days: number }>(sql`
    select extract(epoch from ${crawl.clock.now().toISOString()}::timestamptz - min(checked_at))::float8 / 86400 as days
    from product where state = 'live'`);
  return row?.days ?? 0;
}

async function boundDays(): Promise<number> {
  const rules = await readPresentRules(crawl.db, crawl.rules, crawl.clock.now());
  return (await readPlanReport(crawl.db, crawl.clock.now(), rules)).forecast?.boundDays ?? 0;
}

/** Changes some products all day, so that the others compete for calls. */
function keepChanging(): void {
  for (const item of crawl.sandbox.control.items()) {
    if (!JSON.stringify(item.categories).includes("財布")) continue;
    const price = 100 + crawl.calls();
    crawl.sandbox.control.edit(Number(item.item_id), { price }, { silent: true });
  }
}

/** The longest time that any product waited, compared with the bound promised at that time. */
async function worst(days: number, each: () => void): Promise<{ waited: number; bound: number }> {
  let waited = 0;
  await crawl.pass(days * 24, async () => {
    each();
    if (crawl.calls() % 5 === 0) waited = Math.max(waited, await oldestDays());
  });
  const bound = await boundDays();
  return { waited, bound };
}

describe("no product starves", () => {
  it("every live product is checked within the bound that the forecast states", async () => {
    crawl = await createSimulatedCrawl({
      idleMinutes: 60,
      keywords: categories,
      sandbox: { products: inject("long") ? 60 : 30 },
      rules: { dailyLimit: 24 },
    });
    await updateJob(crawl.db, "revalidate", { settings: { max_age_days: 2 } }, crawl.clock.now());
    // Brings products forward that were found while the catalogue was still growing, as the daily
    // maintenance does.
    await crawl.pass(12);
    await keepMaximumAge(crawl.db, crawl.clock, crawl.rules);
    const { waited, bound } = await worst(inject("long") ? 4 : 1, keepChanging);
    expect(bound).toBeGreaterThan(1);
    expect(waited).toBeGreaterThan(0.5);
    expect(waited).toBeLessThanOrEqual(bound);
  });
});

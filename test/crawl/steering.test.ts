import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { startRun, type CrawlJob } from "../../src/crawl/budget/jobs.ts";
import { createTestApi } from "../support/api.ts";
import {
  createSimulatedCrawl,
  type SimulatedCrawl,
  type SimulationOptions,
} from "../support/simulated-crawl.ts";
import { itLong } from "../support/it-long.ts";

const isLong = inject("long");
let crawl: SimulatedCrawl;
async function open(options: Partial<SimulationOptions> = {}): Promise<void> {
  crawl = await createSimulatedCrawl({
    keywords: ["財布", "陶器", "バッグ"],
    rules: { dailyLimit: 96 },
    ...options,
  });
}
afterEach(() => crawl.close());

/** What ops do while the crawl is running. */
async function change(job: CrawlJob, body: Record<string, unknown>): Promise<void> {
  const api = createTestApi(crawl.db, { clock: crawl.clock });
  expect((await api.ops("PATCH", `/ops/v1/jobs/${job}`, body)).status).toBe(200);
}

async function getPlan(): Promise<{ plan_report: { warnings: string[] } }> {
  const budget = { dailyLimit: 96, timezone: "Asia/Tokyo" };
  const api = createTestApi(crawl.db, { clock: crawl.clock, budget });
  return (await api.ops("GET", "/ops/v1/plan?calls=5")).json() as Promise<{
    plan_report: { warnings: string[] };
  }>;
}

async function callsBy(since: Date): Promise<Record<string, number>> {
  const rows = await crawl.db.execute<{ job: string; n: number }>(sql`
    select job, count(*) as n from api_call where reserved_at > ${since.toISOString()} group by job`);
  return Object.fromEntries(rows.map((row) => [row.job, row.n]));
}

/** The calls of the jobs in the next hours. */
async function spentIn(hours: number): Promise<Record<string, number>> {
  const since = crawl.clock.now();
  await crawl.pass(hours, () => {
    for (const item of crawl.sandbox.control.items()) {
      if (!JSON.stringify(item.categories).includes("財布")) continue;
      crawl.sandbox.control.edit(Number(item.item_id), { price: 100 + crawl.calls() });
    }
  });
  return callsBy(since);
}

const total = (spent: Record<string, number>) => Object.values(spent).reduce((a, b) => a + b, 0);

describe("settings of jobs that ops change while the crawl runs", () => {
  itLong("weights move calls from job to job, and 0 ends a job's own calls", async () => {
    await open();
    await change("discover", { settings: { trials: 0 } });
    await crawl.pass(4);
    const before = await spentIn(6);
    await change("feed", { settings: { weight: 0 } });
    const without = await spentIn(6);
    expect(before.feed).toBeGreaterThan(0);
    expect(without.feed).toBeUndefined();
    await change("feed", { settings: { weight: 100 } });
    await change("revalidate", { settings: { weight: 0.01 } });
    const preferred = await spentIn(6);
    expect(preferred.feed).toBeGreaterThan(1.5 * (before.feed ?? 0));
  });

  itLong("a window says how long after a cron fire a job may spend calls", async () => {
    await open({ sandbox: { products: 60 } });
    await crawl.pass(2);
    const before = total(await spentIn(2));
    for (const job of ["discover", "feed", "revalidate"] as const) {
      await change(job, { settings: { window_minutes: 1 } });
    }
    const since = crawl.clock.now();
    const after = total(await spentIn(2));
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThan(before);
    const late = await crawl.db.execute(sql`
      select from api_call c where reserved_at > ${since.toISOString()} and not exists (
        select from job_run r where r.job = c.job
          and c.reserved_at between r.started_at and r.started_at + interval '61 s')`);
    expect(late).toHaveLength(0);
  });

  it("a disabled job makes no call: its open window ends, and a process that starts opens none", async () => {
    await open({ sandbox: { products: 60 } });
    await crawl.pass(2);
    await change("discover", { settings: { window_minutes: 1440 } });
    await change("discover", { enabled: false });
    await startRun(crawl.db, "discover", "startup", crawl.clock.now());
    const spent = await spentIn(3);
    expect(total(spent)).toBeGreaterThan(0);
    expect(spent.discover).toBeUndefined();
  });

  itLong("the share for users is kept from the jobs at once, and given back at once", async () => {
    await open({ pacing: "burst", rules: { dailyLimit: 100 } });
    await change("revalidate", { settings: { on_demand_share: 0.5 } });
    await crawl.pass(1);
    expect(crawl.calls()).toBeGreaterThanOrEqual(50);
    expect(crawl.calls()).toBeLessThanOrEqual(55);
    await change("revalidate", { settings: { on_demand_share: 0 } });
    await crawl.pass(1);
    expect(crawl.calls()).toBe(100);
  });

  itLong("a target that cannot be met is warned of in the plan", async () => {
    await open({ sandbox: { products: 60 } });
    await crawl.pass(isLong ? 12 : 4);
    expect((await getPlan()).plan_report.warnings).toEqual([]);
    await change("revalidate", { settings: { target_hours: 0.1, target_weight: 0.1 } });
    const { warnings } = (await getPlan()).plan_report;
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the target \(weight >= 0\.1 within 0\.1 h at p95\) needs \d+ more calls a day$/,
      ),
    ]);
    await change("revalidate", { settings: { target_hours: 2000 } });
    expect((await getPlan()).plan_report.warnings).toEqual([]);
  });
});

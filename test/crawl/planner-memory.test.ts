import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { createPlanner } from "../../src/crawl/planner.ts";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { readPlan } from "../../src/crawl/plan-report.ts";
import { createTopSellers } from "../../src/crawl/keywords/top-sellers.ts";
import { readKeywords } from "../../src/crawl/learning/keywords.ts";
import { createKeywordCaller } from "../../src/crawl/keywords/keyword-call.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import type { Db } from "../../src/db/open.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";
import { itLong } from "../support/it-long.ts";

const rules = { dailyLimit: 1000, timezone: "Asia/Tokyo" };
const now = new Date("2026-03-01T12:00:00Z");
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openCrawl(keywords = ["財布", "バッグ"], products = 400): Promise<SimulatedCrawl> {
  const crawl = await createSimulatedCrawl({ keywords, sandbox: { products } });
  closers.push(crawl.close);
  return crawl;
}

async function openDatabase(): Promise<TestDb> {
  const test = await createTestDb();
  closers.push(test.close);
  return test;
}

/** The next pages of gaps that readings of newest changes have left. */
async function nextPages(db: Db): Promise<{ start: number }[]> {
  const rows = await db.execute<{ next: { start: number } | null }>(sql`
    select gap -> 'next' as next from crawl_query, jsonb_array_elements(scans #> '{reading,gaps}') as gap
    where scans ? 'reading'`);
  return rows.flatMap(({ next }) => (next ? [next] : []));
}

describe("what the planner decides by is in Postgres", () => {
  itLong(
    "B13: newest changes of several pages are read on where they were in another process, not from the first page",
    async () => {
      const crawl = await openCrawl(["財"], 1500);
      await crawl.pass(2);
      // All products were modified, so the scan has to read all of them.
      for (const item of crawl.sandbox.control.items()) {
        crawl.sandbox.control.edit(Number(item.item_id), { price: 77 });
      }
      await startRun(crawl.db, "feed", "manual", crawl.clock.now());
      await crawl.pass(24, async () => (await nextPages(crawl.db)).length === 0);
      const [next] = await nextPages(crawl.db);
      expect(next?.start).toBe(50);
      const another = createPlanner(crawl.db, createPlannerState(crawl.db, rules));
      const call = await another.next(crawl.clock.now(), {
        onPace: false,
        mayHurry: true,
        afterSilence: false,
      });
      expect(call?.operation === "search" && call.params).toMatchObject({ start: 50 });
      expect(call?.job).toBe("feed");
    },
  );

  it("B13: a full scan under way knows in another process what it has shown", async () => {
    const crawl = await openCrawl(["財"], 1500);
    const position = async () => {
      const [row] = await crawl.db.execute<{ scan_start: number | null; scan_top: number | null }>(
        sql`select scan_start, scan_top from crawl_query where q = '財'`,
      );
      return row;
    };
    await crawl.pass(24, async () => (await position())?.scan_start === null);
    const { scan_start: start, scan_top: top } = (await position()) ?? {};
    expect(start).toBe(49);
    const [highest] = await crawl.db.execute<{ id: number }>(
      sql`select max(item_id) as id from product`,
    );
    expect(top).toBe(highest?.id);
  });

  it("B14: beyond thousands of keywords one that was never asked for has its turn, however poor it looked", async () => {
    const { db } = await openDatabase();
    await db.execute(sql`
      insert into crawl_query (q, source, failed_trials, asked_at, created_at)
      select 'known ' || n, 'word', 0, ${now.toISOString()}, ${now.toISOString()} from generate_series(1, 6000) n`);
    await db.execute(sql`
      insert into crawl_query (q, source, failed_trials, created_at)
      select 'new ' || n, 'word', 3, ${now.toISOString()} from generate_series(1, 10) n`);
    const read = await readKeywords(db, now);
    expect(read.filter((query) => query.q.startsWith("new ")).length).toBe(10);
    expect(read.length).toBeLessThanOrEqual(5000);
    expect(new Set(read.map((query) => query.id)).size).toBe(read.length);
  });

  it("B14: pages that cannot be asked for now do not hide those that can", async () => {
    const { db } = await openDatabase();
    await db.execute(sql`
      insert into crawl_query (q, source, scanned_at, created_at)
      select 'q' || n, 'ops', ${now.toISOString()}, ${now.toISOString()} from generate_series(1, 5) n`);
    await db.execute(sql`
      insert into crawl_page (query_id, start, item_ids, due_at)
      select id, 0, '[]', '2026-01-01'::timestamptz + id * interval '1 day' from crawl_query`);
    await db.execute(sql`
      insert into backoff (kind, key, failures, code, reason, call_id, first_failed_at, failed_at, retry_at)
      select 'keyword', id || ':popular', 3, 'http_500', '', 1, '2026-02-01', '2026-02-01', '2026-04-01'
      from crawl_query where q <> 'q5'`);
    const state = createPlannerState(db, rules);
    await state.refresh(now.getTime());
    const pages = await createTopSellers(db, createKeywordCaller(state), state)(now);
    expect(pages.calls.map((call) => call.params.q)).toEqual(["q5"]);
  });

  it("B15: showing the plan writes nothing", async () => {
    const crawl = await openCrawl(["財布"], 100);
    await crawl.pass(3);
    // Shops and pages that are due although their value is too low: choosing would postpone them.
    await crawl.db.execute(sql`update shop set due_at = '2020-01-01'`);
    await crawl.db.execute(sql`update crawl_page set due_at = '2020-01-01'`);
    const written = async () =>
      crawl.db.execute(sql`
        select 'shop' as what, xmin::text, due_at::text from shop union all
        select 'product', xmin::text, due_at::text from product_schedule union all
        select 'page', xmin::text, due_at::text from crawl_page union all
        select 'query', xmin::text, next_at::text from crawl_query order by 1, 2, 3`);
    const before = await written();
    await readPlan(crawl.db, crawl.clock.now(), { ...rules, most: 100 });
    expect(await written()).toEqual(before);
    // The control: the crawl itself does postpone them.
    await crawl.pass(1);
    expect(await written()).not.toEqual(before);
  });
});

import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";

it.each([
  '{"reading": {"everyDays": 1}}',
  '{"reading": 5, "newest": 5, "absences": 5}',
  '{"reading": {"gaps": [{"from": "x", "to": {}, "next": null}], "flow": {"items": "y"}, "everyDays": "z", "hours": 7}}',
  '{"arrivals": {"items": "many"}, "shown": {"all": "x"}, "bumped": 3, "listed": {}, "newest": {"start": "x"}}',
])(
  "what is kept of a keyword's pages and cannot be read (%s) harms that keyword alone",
  async (scans) => {
    const crawl = await createTestCrawl({ discovered: true });
    onTestFinished(crawl.close);
    await crawl.first.stop();
    await crawl.db.execute(sql`
    update crawl_query set scans = ${scans}::text::jsonb where id = (select min(id) from crawl_query)`);
    const since = new Date();
    crawl.addProcess();
    await startRun(crawl.db, "feed", "manual", since);
    const unread = async () =>
      await crawl.db.execute(sql`
      select id from crawl_query where enabled and source = 'seed' and (feed_checked_at < ${since.toISOString()}) is not false`);
    await until(async () => (await unread()).length === 0, {
      timeoutMs: 60_000,
      what: "the newest changes of all keywords",
    });
    const [row] = await crawl.db.execute<{ scans: Record<string, unknown> }>(
      sql`select scans from crawl_query order by id limit 1`,
    );
    expect(row?.scans["reading"]).toHaveProperty("gaps");
  },
);

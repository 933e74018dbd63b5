import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";

/** One for each of as many keywords. */
const unreadable = [
  '{"reading": {"everyDays": 1}}',
  '{"reading": 5, "newest": 5, "absences": 5}',
  '{"reading": {"gaps": [{"from": "x", "to": {}, "next": null}], "flow": {"items": "y"}, "everyDays": "z", "hours": 7}}',
  '{"arrivals": {"items": "many"}, "shown": {"all": "x"}, "bumped": 3, "listed": {}, "newest": {"start": "x"}}',
  '{"swings": null}',
  '{"swings": {"last": "x", "squares": {}, "fourths": 5}}',
];

it("what is kept of a keyword's pages and cannot be read harms that keyword alone, and is learned anew", async () => {
  const crawl = await createTestCrawl({ discovered: true });
  onTestFinished(crawl.close);
  await crawl.first.stop();
  const spoilt = await crawl.db.execute<{ id: number }>(sql`
    update crawl_query q set scans = spoilt.scans
    from (select id, row_number() over (order by id) as n from crawl_query) nth
      join json_array_elements(${`[${unreadable.join()}]`}::text::json) with ordinality spoilt (scans, n) using (n)
    where q.id = nth.id returning q.id`);
  expect(spoilt).toHaveLength(unreadable.length);
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
  for (const { id } of spoilt) {
    const [row] = await crawl.db.execute<{ scans: Record<string, unknown> }>(
      sql`select scans from crawl_query where id = ${id}`,
    );
    expect(row?.scans["reading"]).toHaveProperty("gaps");
  }
});

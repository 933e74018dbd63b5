import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { lastingFaultsForEach, smallCrawl } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();

const shapes = ["null", "5", '"x"', "[{}]", '{"weight": {}, "shown": "x", "shopId": 1}'];

it("JSON of another shape in any row that jobs and the planner read costs no answer", async () => {
  const { crawl } = await start([], smallCrawl(false));
  await crawl.pass(3);
  const since = crawl.clock.now().toISOString();
  await crawl.runNow("revalidate");
  await crawl.db.execute(sql`
    insert into backoff (kind, key, failures, code, reason, call_id, first_failed_at, failed_at, retry_at, part)
    select 'shop', shop_id, 1, 'timeout', '', 1, ${since}, ${since}, ${since}, '[7]' from shop order by shop_id limit 1`);
  const columns = [
    "crawl_query trial",
    "crawl_query newest_yield",
    "crawl_query scans",
    "crawl_page item_ids",
    "backoff part",
    "backoff rest",
    "job settings",
    "job_run position",
    "setting value",
  ].map((text) => text.split(" ").map((name) => sql.identifier(name)));
  for (const [table, column] of columns) {
    for (const shape of shapes)
      await crawl.db.execute(sql`update ${table} set ${column} = ${shape}::text::jsonb`);
  }
  const count = async (outcome: string) =>
    (
      await crawl.db.execute(
        sql`select from api_call where outcome = ${outcome} and reserved_at > ${since}`,
      )
    ).length;
  await crawl.pass(24, async () => (await count("ok")) < 6);
  expect(await count("ok")).toBe(6);
  expect(await count("not_stored")).toBe(0);
  const [{ settings } = {}] = await crawl.db.execute(
    sql`select settings from job where name = 'revalidate'`,
  );
  expect(settings).toMatchObject({ max_age_days: 0.1 });
});

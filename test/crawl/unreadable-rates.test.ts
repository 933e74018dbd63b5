import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { lastingFaultsForEach, smallCrawl } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();

it.each([
  "shop set rate_days = 'NaN' where shop_id = (select min(shop_id) from shop)",
  "rate_evidence set changes = 1e308 where traits = (select min(traits) from rate_evidence)",
])("a learned number that is none stops no calls about others: update %s", async (update) => {
  const { crawl } = await start([], smallCrawl(false));
  await crawl.pass(2);
  expect(await crawl.db.execute(sql.raw(`update ${update} returning 1`))).toHaveLength(1);
  const since = crawl.clock.now().toISOString();
  await crawl.pass(2);
  const stored = await crawl.db.execute(
    sql`select from api_call where outcome = 'ok' and reserved_at > ${since}`,
  );
  expect(stored.length).toBeGreaterThan(2);
});

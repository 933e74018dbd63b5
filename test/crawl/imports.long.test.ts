import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { must } from "../../src/lib/must.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";
import { items } from "../support/simulated-market.ts";

let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

const keyword = "財布";
const IMPORTED = 600;

/** Imported products that are known; how many of the keyword's products are thought to be deleted. */
async function counts(): Promise<{ imported: number; missing: number }> {
  const [row] = await crawl.db.execute<{ imported: number; missing: number }>(sql`
    select (select count(*)::int from product where item_id <= ${IMPORTED}) as imported,
      coalesce(sum((scans #>> '{absences,missing}')::float8), 0)::float8 as missing
    from crawl_query`);
  return must(row, "a row of counts");
}

it("a shop's import of hundreds of products at one moment is read to its last, and none of them is thought to be deleted", async () => {
  crawl = await createSimulatedCrawl({
    keywords: [keyword],
    sandbox: { products: 60 },
    rules: { dailyLimit: 200 },
    idleMinutes: 20,
  });
  await crawl.pass(6);
  const like = must(
    items(crawl).find(({ visible, text }) => visible && text.includes(keyword)),
    "a product of the keyword",
  );
  const product = must(crawl.sandbox.control.item(like.id), "that product");
  const modified = Math.floor(crawl.clock.now().getTime() / 1000);
  // Neither full scans nor newest ids show them.
  await updateJob(crawl.db, "discover", { settings: { weight: 0 } }, crawl.clock.now());
  for (let i = 0; i < IMPORTED; i += 1) {
    crawl.sandbox.control.add({ ...product, item_id: 1 + i, modified });
  }
  let mostMissing = 0;
  await crawl.pass(24, async () => {
    const { imported, missing } = await counts();
    mostMissing = Math.max(mostMissing, missing);
    return imported < IMPORTED;
  });
  expect(await counts()).toMatchObject({ imported: IMPORTED });
  expect(mostMissing).toBeLessThan(2);
});

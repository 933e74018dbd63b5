import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";
import { items } from "../support/simulated-market.ts";

let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

const keyword = "財布";

/** Products that the keyword's searches show to be missing, and those that a refresh has proven deleted. */
async function counts(): Promise<{ missing: number; deleted: number }> {
  const [row] = await crawl.db.execute<{ missing: number; deleted: number }>(sql`
    select coalesce(sum((scans #>> '{absences,missing}')::float8) filter (where q = ${keyword}), 0)::float8 as missing,
      sum(items_deleted)::int as deleted
    from crawl_query`);
  return row ?? { missing: 0, deleted: 0 };
}

it("what a keyword finds no more is counted as missing once its newest changes are read, until a refresh proves it deleted", async () => {
  crawl = await createSimulatedCrawl({
    keywords: [keyword],
    sandbox: { products: 60 },
    rules: { dailyLimit: 120 },
    idleMinutes: 20,
  });
  await crawl.pass(6);
  const before = await counts();
  const gone = items(crawl)
    .filter(({ visible, text }) => visible && text.includes(keyword))
    .slice(0, 3)
    .map(({ id }) => id);
  expect(gone).toHaveLength(3);
  for (const id of gone) crawl.sandbox.control.remove(id);
  await crawl.runNow("feed");
  const isNoticed = async () => (await counts()).missing - before.missing > 2.5;
  await crawl.pass(4, async () => !(await isNoticed()));
  const noticed = await counts();
  expect(before.deleted + noticed.deleted).toBe(0);
  expect(noticed.missing - before.missing).toBeGreaterThan(2.5);

  await crawl.runNow("revalidate");
  await crawl.pass(4, async () => (await counts()).deleted < 3);
  const isCounted = async () => (await counts()).missing - before.missing < 0.5;
  // Its newest changes may have been read between two of the proofs, and are then not worth a call for a while.
  for (let run = 0; run < 6 && !(await isCounted()); run += 1) {
    await crawl.runNow("feed");
    await crawl.pass(4, async () => !(await isCounted()));
  }
  const after = await counts();
  expect(after.deleted).toBe(3);
  expect(after.missing - before.missing).toBeLessThan(0.5);
});

import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { UpstreamFault } from "../support/faulty-upstream.ts";
import { keywords, lastingFaultsForEach } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();

/** Prices change by themselves, each at its own pace between a third of a day and twelve days. */
function priceAt(itemId: number, seconds: number): number {
  const share = ((itemId * 2654435761) >>> 0) / 2 ** 32;
  return 1000 + (Math.floor(seconds / 86400 / (0.3 * 40 ** share) + share) % 50);
}

it("a number of found products that swings all the time is not taken for deletions", async () => {
  const broad = "の";
  let answers = 0;
  let now = () => new Date(0);
  type Body = { found: number; items: Record<string, unknown>[] };
  const fault: UpstreamFault = {
    concerns: () => true,
    async answer({ operation, q }, healthy) {
      const page = (await (await healthy()).json()) as Body;
      const seconds = Math.floor(now().getTime() / 1000);
      for (const item of page.items) item.price = priceAt(Number(item.item_id), seconds);
      answers += 1;
      if (operation === "search" && q === broad) page.found += (answers * 37) % 60;
      return Response.json(page);
    },
  };
  const { crawl } = await start([fault], {
    keywords: [...keywords, broad],
    products: 300,
    callsPerDay: 120,
    proposes: false,
  });
  now = () => crawl.clock.now();
  await crawl.pass(18);
  const since = crawl.clock.now().toISOString();
  await crawl.pass(18);
  const [calls] = await crawl.db.execute<{ all: number; refreshes: number }>(sql`
    select count(*)::int as all, count(*) filter (where operation = 'refresh')::int as refreshes
    from api_call where reserved_at > ${since}`);
  expect(calls?.all).toBeGreaterThan(60);
  expect(calls?.refreshes).toBeLessThan(15);
});

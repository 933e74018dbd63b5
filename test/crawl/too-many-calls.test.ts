import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { createSimulatedCrawl } from "../support/simulated-crawl.ts";

/** A crawl whose upstream answers so; null: as it should. */
async function crawlAt(hours: number, answer: () => Response | null) {
  const crawl = await createSimulatedCrawl({
    keywords: ["財布", "陶器"],
    sandbox: { products: 60 },
    rules: { dailyLimit: 480 },
    idleMinutes: 5,
    fetch: async (input, init) => answer() ?? fetch(input, init),
  });
  onTestFinished(() => crawl.close());
  await crawl.pass(hours);
  const [row] = await crawl.db.execute<{ n: number }>(sql`select count(*)::int as n from api_call`);
  return { crawl, calls: row?.n ?? 0 };
}

it("an upstream that answers 429 is asked again when it says, an hour later at most, and ops are told", async () => {
  const tooMany = () =>
    new Response("slow down", { status: 429, headers: { "retry-after": "86400" } });
  const { crawl, calls } = await crawlAt(3.5, tooMany);
  expect(calls).toBeLessThanOrEqual(5);
  const { block } = await readCrawlState(crawl.db);
  expect(block).toMatchObject({ code: "http_429", reason: expect.stringContaining("86400 s") });
});

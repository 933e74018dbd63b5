import { sql } from "drizzle-orm";
import { expect, inject, it, onTestFinished } from "vitest";
import { must } from "../../src/lib/must.ts";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { createSimulatedCrawl } from "../support/simulated-crawl.ts";
import { itLong } from "../support/it-long.ts";

const idleMinutes = 5;

/** A crawl whose upstream answers so; null: as it should. */
async function crawlAt(hours: number, answer: (url: URL) => Response | null) {
  const crawl = await createSimulatedCrawl({
    keywords: ["財布", "陶器"],
    sandbox: { products: 60 },
    rules: { dailyLimit: 480 },
    idleMinutes,
    fetch: async (input, init) => answer(new URL(new Request(input).url)) ?? fetch(input, init),
  });
  onTestFinished(() => crawl.close());
  await crawl.pass(hours);
  const [row] = await crawl.db.execute<{ calls: number; longest: number }>(sql`
    select count(*)::int as calls, max(extract(epoch from gap))::float as longest
    from (select reserved_at - lag(reserved_at) over (order by id) as gap from api_call) c`);
  return { crawl, ...must(row, "the calls, and the longest time between two in seconds") };
}

const tooMany = () =>
  new Response("slow down", { status: 429, headers: { "retry-after": "86400" } });

itLong(
  "an upstream that answers 429 is asked again when it says, an hour later at most, and ops are told",
  async () => {
    const { crawl, calls } = await crawlAt(3.5, tooMany);
    expect(calls).toBeLessThanOrEqual(5);
    const { block } = await readCrawlState(crawl.db);
    expect(block).toMatchObject({ code: "http_429", reason: expect.stringContaining("86400 s") });
  },
);

it("a keyword that is always answered 429 stops no others", async () => {
  const isPottery = (url: URL) => url.searchParams.get("q") === "陶器";
  const { crawl, longest } = await crawlAt(inject("long") ? 3 : 1.5, (url) =>
    isPottery(url) ? tooMany() : null,
  );
  expect(longest).toBe(idleMinutes * 60);
  const [failed] = await crawl.db.execute<{ n: number }>(
    sql`select count(*)::int as n from api_call where outcome = 'http_429'`,
  );
  expect(failed?.n).toBeLessThanOrEqual(8);
  expect((await readCrawlState(crawl.db)).block).toBeNull();
});

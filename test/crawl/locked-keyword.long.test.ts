import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { readCalls } from "../support/calls.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { whileHeld } from "../support/held-rows.ts";
import { until } from "../support/until.ts";

it("D5: while somebody holds a keyword's row for long, it backs off, and the others are scanned", async () => {
  const crawl = await createTestCrawl({ keywords: 3 });
  try {
    const [held] = await crawl.db.execute<{ id: number; q: string }>(
      sql`select id, q from crawl_query order by id limit 1`,
    );
    await whileHeld(crawl, `select from crawl_query where id = ${held?.id}`, async () => {
      await startRun(crawl.db, "discover", "manual", new Date());
      const rows = (statement: ReturnType<typeof sql>) => async () =>
        (await crawl.db.execute(statement)).length;
      await until(
        rows(sql`
          select from backoff where kind = 'keyword' and key like ${`${held?.id}:%`} and code = 'not_stored'`),
        { timeoutMs: 25_000, what: "the keyword to back off" },
      );
      const scanned = rows(sql`select from crawl_query where scanned_at is not null`);
      await until(async () => (await scanned()) === 2, { what: "the scans of the others" });
      const calls = await readCalls(crawl.db, { limit: 1000, status: "failed" });
      expect(new Set(calls.map(({ params }) => params["q"]))).toEqual(new Set([held?.q]));
    });
  } finally {
    await crawl.close();
  }
}, 60_000);

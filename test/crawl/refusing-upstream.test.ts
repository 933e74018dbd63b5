import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { lastingFaultsForEach } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();
const hours = 7.5;
const codes = ["invalid_request", "auth_error"];

it.each(inject("long") ? codes : codes.slice(0, 1))(
  "an upstream that answers %s to every call for hours costs few, and is asked again within minutes once it does no more",
  async (error) => {
    let refuses = true;
    const { crawl, upstream } = await start(
      [
        {
          concerns: () => refuses,
          answer: () => Response.json({ error, error_description: "no" }, { status: 400 }),
        },
      ],
      { products: 20, idleMinutes: 3, callsPerDay: 1200 },
    );
    await crawl.pass(hours);
    expect(upstream.faulty.length).toBeLessThan(hours * 4 + 8);
    const { block } = await readCrawlState(crawl.db);
    expect(block).toMatchObject({ code: error, reason: expect.stringContaining(error) });
    // The first call, at the date change, counts in the day before too.
    const [{ used } = {}] = await crawl.db.execute(sql`select max(used) as used from budget_day`);
    expect(used).toBe(upstream.faulty.length);
    refuses = false;
    const ended = crawl.clock.now().getTime();
    await crawl.pass(1, () => false);
    expect(crawl.clock.now().getTime() - ended).toBeLessThan(20 * 60_000);
    expect((await readCrawlState(crawl.db)).block).toBeNull();
  },
);

import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { itLong } from "../support/it-long.ts";
import { lastingFaultsForEach } from "../support/lasting-faults.ts";
import { items, largestShops } from "../support/simulated-market.ts";

const start = lastingFaultsForEach();
const isLong = inject("long");
const options = {
  products: 50,
  maxAgeDays: 0.1,
  idleMinutes: isLong ? 0.5 : 1.2,
  callsPerDay: 1200,
};

it("an upstream that has nothing to show for hours stops the crawl before small shops are dropped, and then it goes on", async () => {
  let isSilent = false;
  const { crawl, upstream } = await start(
    [
      {
        concerns: () => isSilent,
        answer: () => Response.json({ found: 0, start: 0, items: [] }),
      },
    ],
    options,
  );
  const count = async (state: string) =>
    (await crawl.db.execute(sql`select from product where state = ${state}`)).length;
  await crawl.pass(1.2);
  const living = await count("live");
  expect(living).toBeGreaterThan(25);
  isSilent = true;
  const hours = isLong ? 6 : 1;
  await crawl.pass(hours);
  const { block } = await readCrawlState(crawl.db);
  expect(block?.code).toBe("anomalous_answers");
  expect(block?.reason).toMatch(/none of \d+ products of|finds nothing/);
  expect(await count("gone")).toBeLessThan(living / 4);
  expect(upstream.faulty.length).toBeLessThan(30 + 3 * hours);
  isSilent = false;
  const isStopped = async () => (await readCrawlState(crawl.db)).block !== null;
  await crawl.pass(1.5, isStopped);
  expect(await isStopped()).toBe(false);
  const since = crawl.clock.now().toISOString();
  await crawl.pass(0.5);
  const calls = await crawl.db.execute(sql`
    select from api_call where returned > 0 and reserved_at > ${since}`);
  expect(calls.length).toBeGreaterThan(15);
});

itLong(
  "shops that really close on one day, beside others that go on, are dropped within hours",
  async () => {
    const { crawl } = await start([], { ...options, products: 70 });
    await crawl.pass(2);
    const closing = largestShops(crawl, 20).slice(4, 14);
    const gone = items(crawl).filter((item) => item.visible && closing.includes(item.shopId));
    for (const { id } of gone) crawl.sandbox.control.remove(id);
    await crawl.pass(6);
    const left = await crawl.db.execute<{ shop_id: string }>(sql`
    select shop_id from product where state = 'live'`);
    expect(left.filter((row) => closing.includes(row.shop_id))).toEqual([]);
    expect(left.length).toBeGreaterThan(10);
  },
);

import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";

let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

const shown = (q: string) =>
  crawl.sandbox.control.items().filter(({ title }) => String(title).includes(q));

async function known(q: string): Promise<number> {
  const [row] = await crawl.db.execute<{ n: number }>(
    sql`select count(*)::int as n from product where title like ${`%${q}%`} and state = 'live'`,
  );
  return row?.n ?? 0;
}

it("a burst of new products of a keyword that had none is read to its end", async () => {
  const [usual, unseen] = ["財布", "Zyxomma"];
  crawl = await createSimulatedCrawl({
    keywords: [usual, unseen],
    sandbox: { products: 300 },
    rules: { dailyLimit: 120 },
  });
  await crawl.pass(12);
  expect(await known(unseen)).toBe(0);
  const { add, items } = crawl.sandbox.control;
  const [model] = items();
  const modified = Math.floor(crawl.clock.now().getTime() / 1000);
  for (let n = 0; n < 170; n += 1) {
    add({ ...model, item_id: 9_000_000 + n, title: `${unseen} ${n}`, visible: 1, modified });
  }
  expect(shown(unseen)).toHaveLength(170);
  await crawl.pass(36);
  expect(await known(unseen)).toBe(170);
});

it("what full scans have read is read again by few calls, however much of it is overdue", async () => {
  crawl = await createSimulatedCrawl({
    keywords: ["財布", "本", "服"],
    sandbox: { products: 400 },
    rules: { dailyLimit: 400 },
  });
  await crawl.pass(6);
  await updateJob(crawl.db, "discover", { settings: { rewalk_hours: 1 } }, crawl.clock.now());
  const repeated = async () => {
    const [row] = await crawl.db.execute<{ n: number }>(sql`
      select count(*)::int as n from api_call
      where operation = 'search' and params -> 'sort' -> 0 ->> 'order' = 'asc'`);
    return row?.n ?? 0;
  };
  const [before, callsBefore] = [await repeated(), crawl.calls()];
  await crawl.pass(24);
  const calls = crawl.calls() - callsBefore;
  const again = (await repeated()) - before;
  expect(calls).toBeGreaterThan(50);
  expect(again).toBeGreaterThan(0);
  expect(again).toBeLessThanOrEqual(Math.ceil(calls / 20) + 1);
});

import { afterEach, expect, inject, it } from "vitest";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { must } from "../../src/lib/must.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";
import { items } from "../support/simulated-market.ts";

let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

const keyword = "財布";
const products = 170;
const day = 86_400;

type Clock = [string, (now: number) => number];
const usual: Clock = ["nine hours behind", (now) => now - 9 * 3600];
const others: Clock[] = [
  ["right", (now) => now],
  ["three days behind", (now) => now - 3 * day],
  ["years behind and ten times as fast", (now) => 1.7e9 + (now - 1.772e9) * 10],
];

it.each(inject("long") ? [usual, ...others] : [usual])(
  "newest changes of an upstream whose clock is %s are read to the last one, however many come at once",
  async (_what, clockOf) => {
    crawl = await createSimulatedCrawl({
      keywords: [keyword],
      sandbox: { products: 20 },
      rules: { dailyLimit: 500 },
      idleMinutes: 60,
    });
    const upstreamNow = () => Math.floor(clockOf(crawl.clock.now().getTime() / 1000));
    const { id: first } = must(
      items(crawl).find(({ visible, text }) => visible && text.includes(keyword)),
      "a product of the keyword",
    );
    const like = must(crawl.sandbox.control.item(first), "that product");
    for (const { id } of items(crawl)) crawl.sandbox.control.remove(id);
    for (let id = 1; id <= products; id += 1) {
      crawl.sandbox.control.add({ ...like, item_id: id, price: 1, modified: upstreamNow() - id });
    }
    await crawl.pass(6);
    for (const job of ["discover", "revalidate"] as const) {
      await updateJob(crawl.db, job, { settings: { weight: 0 } }, crawl.clock.now());
    }
    const countAt = async (price: number) => {
      const [row] = await crawl.db.execute<{ n: number }>(
        `select count(*)::int as n from product where price = ${price} and state = 'live'`,
      );
      return must(row, "the count").n;
    };
    for (const price of inject("long") ? [2, 3] : [2]) {
      for (let id = 1; id <= 130; id += 1) {
        crawl.sandbox.control.edit(id, { price, modified: upstreamNow() - id });
      }
      await crawl.pass(12, async () => {
        return (await countAt(price)) < 130;
      });
      expect(await countAt(price)).toBe(130);
      await crawl.pass(12);
    }
  },
);

import { afterEach, expect, it } from "vitest";
import { readProduct } from "../../src/catalog/products.ts";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { must } from "../../src/lib/must.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";
import { items } from "../support/simulated-market.ts";

let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

const keyword = "財布";
const YEAR_2100_S = 4_102_444_800;

it("products whose `modified` lies in the future, which lead a keyword's newest changes for ever, hide no change below them", async () => {
  crawl = await createSimulatedCrawl({
    keywords: [keyword],
    sandbox: { products: 60 },
    rules: { dailyLimit: 200 },
    idleMinutes: 60,
  });
  const { id } = must(
    items(crawl).find(({ visible, text }) => visible && text.includes(keyword)),
    "a product of the keyword",
  );
  const product = must(crawl.sandbox.control.item(id), "that product");
  for (let i = 1; i <= 70; i += 1) {
    crawl.sandbox.control.add({ ...product, item_id: i, modified: YEAR_2100_S });
  }
  await crawl.pass(6);
  for (const job of ["discover", "revalidate"] as const) {
    await updateJob(crawl.db, job, { settings: { weight: 0 } }, crawl.clock.now());
  }
  crawl.sandbox.control.edit(id, { price: 4321 });
  await crawl.pass(24);
  expect(await readProduct(crawl.db, id)).toMatchObject({ price: 4321 });
  // The list ends above the position where its changes began.
  for (let i = 1; i <= 70; i += 1) crawl.sandbox.control.remove(i);
  await crawl.pass(6);
  crawl.sandbox.control.edit(id, { price: 1234 });
  await crawl.pass(24);
  expect(await readProduct(crawl.db, id)).toMatchObject({ price: 1234 });
});

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

const hour = 3600;

/** A small crawl whose products are made by `arrange`, and from then on are shown by newest changes alone. */
async function start(arrange: (like: Record<string, unknown>) => void): Promise<number> {
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
  arrange(must(crawl.sandbox.control.item(id), "that product"));
  await crawl.pass(6);
  for (const job of ["discover", "revalidate"] as const) {
    await updateJob(crawl.db, job, { settings: { weight: 0 } }, crawl.clock.now());
  }
  return id;
}

/** Until the product has this price here; for 8 hours at most. */
const passUntil = (id: number, price: number) =>
  crawl.pass(8, async () => (await readProduct(crawl.db, id))?.price !== price);

it("products whose `modified` lies far in the future, which lead a keyword's newest changes for ever, hide no change below them", async () => {
  const id = await start((like) => {
    for (let i = 1; i <= 110; i += 1) {
      crawl.sandbox.control.add({ ...like, item_id: i, modified: YEAR_2100_S });
    }
  });
  crawl.sandbox.control.edit(id, { price: 9876 });
  await crawl.runNow("feed");
  await crawl.pass(1);
  expect(await readProduct(crawl.db, id)).toMatchObject({ price: 9876 });
  crawl.sandbox.control.edit(id, { price: 4321 });
  await passUntil(id, 4321);
  expect(await readProduct(crawl.db, id)).toMatchObject({ price: 4321 });
  // The list ends above the position where its changes began.
  for (let i = 1; i <= 110; i += 1) crawl.sandbox.control.remove(i);
  await crawl.pass(4);
  crawl.sandbox.control.edit(id, { price: 1234 });
  await passUntil(id, 1234);
  expect(await readProduct(crawl.db, id)).toMatchObject({ price: 1234 });
});

it.each([
  ["an upstream whose clock is days ahead", 1, 3 * 24 * hour],
  ["a `modified` in microseconds", 1e6, 0],
])("what leads the list of %s are its changes", async (_what, unit, ahead) => {
  const now = () => Math.floor(crawl.clock.now().getTime() / 1000);
  const id = await start((like) => {
    const modified = (now() - hour + ahead) * unit;
    for (const one of items(crawl)) crawl.sandbox.control.edit(one.id, { modified });
    for (let i = 1; i <= 70; i += 1) {
      crawl.sandbox.control.add({ ...like, item_id: i, modified: modified + i });
    }
  });
  crawl.sandbox.control.edit(id, { price: 4321, modified: (now() + ahead) * unit });
  await passUntil(id, 4321);
  expect(await readProduct(crawl.db, id)).toMatchObject({ price: 4321 });
});

import { afterEach, expect, it } from "vitest";
import { readProduct } from "../../src/catalog/products.ts";
import { readCalls } from "../support/calls.ts";
import { must } from "../../src/lib/must.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

/** Of two units each: any cut falls inside of one in one of these texts. */
const texts = ["🎀".repeat(6000), `a${"🎀".repeat(6000)}`];

it("U11: products whose texts are long rows of emoji are stored and learned from, wherever a text is cut", async () => {
  crawl = await createTestCrawl({ sandbox: { products: 30 } });
  const items = crawl.sandbox.control.items().filter((item) => item.visible === 1);
  const ids = texts.map((text, i) => {
    const { item_id: id, ...item } = must(items[i], "a visible product");
    const [keyword] = crawl.sandbox.keywords.filter((q) => JSON.stringify(item).includes(q));
    crawl.sandbox.control.edit(Number(id), {
      title: text,
      detail: `${keyword} ${text}`,
      identifier: text,
      categories: [text],
    });
    return Number(id);
  });
  await crawl.run("discover");
  for (const id of ids) crawl.sandbox.control.edit(id, { price: 4321 }, { silent: true });
  await crawl.run("revalidate");
  for (const id of ids) expect(await readProduct(crawl.db, id)).toMatchObject({ price: 4321 });
  expect(await readCalls(crawl.db, { limit: 10, status: "failed" })).toEqual([]);
});

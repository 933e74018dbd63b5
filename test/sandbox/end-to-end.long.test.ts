import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readHistory } from "../../src/catalog/history/history.ts";
import { readProduct } from "../../src/catalog/products.ts";
import { readCalls } from "../support/calls.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createTestApi } from "../support/api.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { ownerOf } from "./owner.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const anything = z.unknown();
const now = () => systemClock.now();

describe("what a shop owner does", () => {
  it("is in Kurabe's history after the crawler's next look, and in its ledger", async () => {
    crawl = await createTestCrawl({ sandbox: { products: 60 } });
    await crawl.run("discover");
    const item = must(
      [...crawl.sandbox.catalog.items()].find((one) => one.visible === 1 && one.price > 500),
      "a product",
    );
    const item_id = String(item.item_id);
    const owner = ownerOf(crawl.sandbox, item.shop_id);
    const lowered = item.price - 100;
    await owner.post("/1/items/edit", { item_id, price: String(lowered) }, anything);
    await crawl.run("revalidate");
    const product = must(await readProduct(crawl.db, item.item_id), "the product");
    expect(product).toMatchObject({ state: "live", price: lowered });
    const { intervals, lows } = await readHistory(crawl.db, item.item_id, {
      limit: 100,
      now: now(),
    });
    expect(intervals.map((interval) => interval.price)).toEqual([item.price, lowered]);
    expect(lows["30d"]?.price).toBe(lowered);
    const site = createTestApi(crawl.db);
    const page = async () => {
      const answer = await site.get(`/products/${item_id}`, { Accept: "text/html" });
      return { status: answer.status, html: await answer.text() };
    };
    const found = async () => {
      const answer = await site.get(`/?${new URLSearchParams({ q: item.title }).toString()}`);
      return (await answer.text()).includes(`href="/products/${item_id}"`);
    };
    for (const path of [`/v1/products/${item_id}`, `/v1/products/${item_id}/history`]) {
      expect(await (await site.get(path)).text()).toContain(`"price":${lowered}`);
    }
    const drops = await (await site.get("/v1/price-drops")).text();
    expect(drops).toContain(`"item_id":${item_id},`);
    const printed = `¥${lowered.toLocaleString("en")}`;
    const shown = await page();
    expect([shown.status, shown.html.includes(printed), await found()]).toEqual([200, true, true]);

    await owner.post("/1/items/delete", { item_id }, anything);
    const before = await readCalls(crawl.db, { limit: 1000 });
    await crawl.run("revalidate");
    expect((await readProduct(crawl.db, item.item_id))?.state).toBe("gone");
    expect([(await page()).status, await found()]).toEqual([410, false]);
    const spent = (await readCalls(crawl.db, { limit: 1000 })).slice(0, -before.length);
    expect(spent.length).toBeGreaterThan(0);
    expect(spent.reduce((gone, one) => gone + (one.gone ?? 0), 0)).toBe(1);
    const [day] = await crawl.db.execute<{ used: number }>(sql`select used from budget_day`);
    // The owner's own calls are the owner's: only Search is counted against the budget.
    expect(day?.used).toBe(crawl.sandbox.control.calls.all().length);
  });

  itLong("is found by the next discovery when it is a new product of a demo shop", async () => {
    crawl = await createTestCrawl({ sandbox: { products: 60 } });
    await crawl.run("discover");
    const { item } = await ownerOf(crawl.sandbox, "demo-1").post(
      "/1/items/add",
      { title: "初めての品", price: "700", stock: "1" },
      z.object({ item: z.object({ item_id: z.number() }) }),
    );
    await crawl.run("discover");
    expect(await readProduct(crawl.db, item.item_id)).toMatchObject({ title: "初めての品" });
  });
});

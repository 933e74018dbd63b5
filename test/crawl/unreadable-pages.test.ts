import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { StorefrontClient } from "../../src/storefront/client.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { readCalls } from "../support/calls.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

/** What the upstream lists, and which of it cannot be read. */
let items: SearchItem[] = [];
let isUnreadable = (_id: number): boolean => false;

/** Products of seven shops, each modified a second after the one before it. */
const products = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).map((id) =>
    searchItem(id, { shopId: `shop-${id % 7}`, modified: 1_700_000_000 + id }),
  );

function split(shown: readonly SearchItem[]) {
  const broken = shown.filter(({ itemId }) => isUnreadable(itemId));
  return {
    items: shown.filter(({ itemId }) => !isUnreadable(itemId)),
    broken: broken.map(({ itemId }) => ({ itemId, reason: "title: expected string", raw: "{}" })),
    unknownFields: [],
    truncatedFields: 0,
  };
}

const upstream: StorefrontClient = {
  async search({ sort = [], start = 0, size = 10 }) {
    const sign = sort[0]?.direction === "desc" && sort[0].column !== "order_count" ? -1 : 1;
    const key = (item: SearchItem) =>
      sort[0]?.column === "modified" ? item.modified : item.itemId;
    const list = items.toSorted((a, b) => sign * (key(a) - key(b)));
    return { found: list.length, start, ...split(list.slice(start, start + size)) };
  },
  refresh: async ({ itemIds }) => split(items.filter(({ itemId }) => itemIds.includes(itemId))),
};

async function start(listed: SearchItem[], unreadable: typeof isUnreadable) {
  items = listed;
  isUnreadable = unreadable;
  crawl = await createTestCrawl({ keywords: 1, through: () => upstream });
}

const count = async (where = sql`true`) =>
  (await crawl.db.execute(sql`select from product where state <> 'gone' and ${where}`)).length;

describe("products that cannot be read", () => {
  it.each([49, 60])("do not end a full scan where %s stand in a row", async (row) => {
    await start(products(1, 300), (id) => id > 100 && id <= 100 + row);
    await crawl.run("discover");
    expect(await count()).toBe(300 - row);
  });

  it("hide no new ones below them among the newest ids", async () => {
    await start(products(1, 100), (id) => id > 130);
    await crawl.run("discover");
    items.push(...products(101, 190));
    await crawl.run("discover");
    expect(await count()).toBe(130);
  });

  it("hide no changes below them among the newest changes", async () => {
    await start(products(1, 100), (id) => id > 100);
    await crawl.run("discover");
    await crawl.run("feed");
    const changed = items.slice(0, 30);
    for (const item of changed) Object.assign(item, { price: 77, modified: item.modified + 200 });
    items.push(...products(401, 460));
    await crawl.run("feed");
    expect(await count(sql`price = 77`)).toBe(30);
  });

  it("are not missing from a page of most ordered products that shows them", async () => {
    await start(products(1, 40), () => false);
    const pages = async () => {
      const calls = await readCalls(crawl.db, { limit: 1000 });
      return calls.filter(
        ({ params, outcome }) => outcome === "ok" && JSON.stringify(params).includes("order_count"),
      ).length;
    };
    await startRun(crawl.db, "discover", "startup", systemClock.now());
    await until(pages, { what: "a page" });
    isUnreadable = (id) => id === 20;
    const before = await pages();
    await until(async () => (await pages()) > before + 1, { what: "two more pages" });
    expect(await count(sql`state = 'missing'`)).toBe(0);
  });
});

import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findUnlisted } from "../../src/crawl/keywords/suspects.ts";
import { createPlanner } from "../../src/crawl/planner.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createSample } from "../../src/crawl/learning/sample.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import type { Unreadable, SearchPage } from "../../src/storefront/product.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const rules = { dailyLimit: 2000, timezone: "Asia/Tokyo" };

/** The value of the best page of newest changes, so many days from now. */
async function feedValue(days: number): Promise<number> {
  const at = new Date(systemClock.now().getTime() + days * 86_400_000);
  const state = createPlannerState(crawl.db, rules);
  await state.refresh(at.getTime());
  await createSample(crawl.db, state)(at);
  const calls = await createPlanner(crawl.db, state).preview(at, 1000);
  return Math.max(0, ...calls.filter((call) => call.job === "feed").map((call) => call.value));
}

describe("a page of newest changes", () => {
  it("is worth nothing right after it was read, and more from hour to hour; nothing where the list shows no change, and is read now and then all the same", async () => {
    crawl = await createTestCrawl({ discovered: true });
    await crawl.run("feed");
    const values = [];
    for (const days of [0, 1 / 24, 0.25, 0.5]) values.push(await feedValue(days));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    const usual = must(values.at(-1), "the value after half a day");
    expect(values[0]).toBeLessThan(0.01 * usual);
    await crawl.db.execute(sql`update shop set silent = 1e6, rate_changes = 100, rate_days = 100`);
    await crawl.db.execute(
      sql`update crawl_query set scans = scans || '{"arrivals":{"items":0,"weight":0,"days":1}}'`,
    );
    expect(await feedValue(0.5)).toBeLessThan(usual / 100);
    expect(await feedValue(2)).toBe(Infinity);
  });
});

describe("products that were on the last first page and should be on this one", () => {
  const item = (itemId: number, modified: number) =>
    ({ itemId, modified }) as SearchPage["items"][number];
  const unread = (itemId: number | null) => ({ itemId, reason: "", raw: "" });

  async function unlisted(
    page: { items: SearchPage["items"]; broken?: SearchPage["broken"] },
    exhausted = false,
  ): Promise<number[]> {
    const answer = {
      found: 9,
      start: 0,
      broken: [],
      unknownFields: [],
      truncatedFields: 0,
    };
    return crawl.db.transaction((tx) =>
      findUnlisted(tx, stored, { page: { ...answer, ...page }, exhausted }),
    );
  }

  /** Stored products by `modified`, the newest first: 60, 50, 40, 30 and 20. */
  let stored: number[];
  beforeEach(async () => {
    crawl = await createTestCrawl({ discovered: true });
    const rows = await crawl.db.execute<{ item_id: number }>(sql`
      update product set modified = 60 - 10 * n
      from (select item_id as id, row_number() over (order by item_id) - 1 as n from product limit 5) numbered
      where item_id = id returning item_id`);
    stored = rows.map((row) => row.item_id).toSorted((a, b) => a - b);
  });

  it("are suspected if they are not, and those below it are not", async () => {
    const [a = 0, b = 0, c = 0, d = 0] = stored;
    expect(await unlisted({ items: [item(a, 60), item(c, 40), item(d, 30)] })).toEqual([b]);
    expect(await unlisted({ items: [item(77, 99), item(a, 60), item(b, 50)] })).toEqual([]);
  });

  it("are suspected whatever their moment if the page ends the list", async () => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = stored;
    const items = [item(a, 60), item(b, 50), item(c, 40), item(d, 30)];
    expect(await unlisted({ items })).toEqual([]);
    expect(await unlisted({ items }, true)).toEqual([e]);
  });

  it("are not suspected by a page that is no such list: other products, another order, items without an id", async () => {
    const [a = 0, b = 0, c = 0, d = 0] = stored;
    expect(await unlisted({ items: [item(a, 60), item(d, 30)] })).toEqual([b, c]);
    expect(await unlisted({ items: [item(a, 60), item(99, 10)] })).toEqual([]);
    expect(await unlisted({ items: [item(a, 60), item(d, 30), item(c, 40)] })).toEqual([]);
    const items = [item(a, 60), item(c, 40), item(d, 30)];
    expect(await unlisted({ items, broken: [unread(null)] })).toEqual([]);
    expect(await unlisted({ items, broken: [unread(b)] })).toEqual([]);
    const unreadable: Unreadable = { fields: ["modified"], reason: "", raw: "" };
    const last = { ...item(d, 0), unreadable };
    expect(await unlisted({ items: [item(a, 60), item(c, 40), last] })).toEqual([b]);
    expect(await unlisted({ items: [item(a, 60), item(b, 50), last] })).toEqual([]);
    expect(await unlisted({ items: [], broken: [unread(a), unread(b)] })).toEqual([]);
  });
});

it("a deleted product that the last first page of its keyword showed is looked for once the next one does not", async () => {
  crawl = await createTestCrawl({ discovered: true });
  await crawl.run("feed");
  const [first] = await crawl.db.execute<{ id: number }>(sql`
    select listed.id::int from crawl_query, jsonb_array_elements_text(scans -> 'listed') with ordinality as listed (id, place)
    order by place, listed.id limit 1`);
  const gone = must(first, "listed product").id;
  crawl.sandbox.control.remove(gone);
  await crawl.run("feed");
  const missed = await crawl.db.execute<{ id: number }>(
    sql`select item_id::int as id from product where state <> 'live'`,
  );
  expect(missed.map(({ id }) => id)).toEqual([gone]);
});

itLong(
  "products whose `modified` alone is new count as unchanged once most of their list are such",
  async () => {
    crawl = await createTestCrawl({ discovered: true });
    const updateAll = (modified: number) => {
      for (const { item_id } of crawl.sandbox.control.items())
        crawl.sandbox.control.edit(Number(item_id), { modified });
    };
    const countChanges = async () => {
      const [sum] = await crawl.db.execute<{ changes: number }>(
        sql`select sum(rate_changes) as changes from product_schedule`,
      );
      return must(sum, "the sum").changes;
    };
    const now = Math.floor(systemClock.now().getTime() / 1000);
    const counts = [await countChanges()];
    for (const modified of [now - 2, now - 1]) {
      updateAll(modified);
      await crawl.run("feed");
      counts.push(await countChanges());
    }
    const [before = 0, first = 0, second = 0] = counts;
    expect(first).toBeGreaterThan(before + 20);
    expect(second - first).toBeLessThan((first - before) / 4);
  },
);

import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { readCalls } from "../support/calls.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { pause, readCrawlState, resume } from "../../src/crawl/safety/pause.ts";
import { readLastRuns, startRun } from "../../src/crawl/budget/jobs.ts";
import { readProduct } from "../../src/catalog/products.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createTestCrawl, type TestCrawl, type TestCrawlOptions } from "../support/crawl.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
const open = async (options: TestCrawlOptions = {}) => (crawl = await createTestCrawl(options));
afterEach(() => crawl.close());

const visible = () => crawl.sandbox.control.items().filter((item) => item.visible === 1);

/** Our rows and the upstream's, without hidden and deleted ones. */
async function bothSides(): Promise<{ ours: unknown[]; theirs: unknown[] }> {
  const rows = await crawl.db.execute(sql`
    select item_id, title, detail, price, proper_price, stock, visible, list_order, identifier, modified,
      p.shop_id, shop_name, shop_url, categories, variations
    from product p join shop s using (shop_id) where state = 'live' order by item_id`);
  const keys = Object.keys(must(rows[0], "a product"));
  const theirs = visible().map((item) => Object.fromEntries(keys.map((key) => [key, item[key]])));
  return { ours: [...rows], theirs };
}

const calls = () => crawl.sandbox.control.calls.all();

/** The short form has one of each kind in one crawl: no answer, an unexpected page, a refusal. */
const spoilt = inject("long")
  ? ["reset", "html", "http_503", "empty", "truncated", "huge", "redirect", "invalid_json"].map(
      (fault) => ({ faults: [fault] }),
    )
  : [{ faults: ["reset", "html", "http_503"] }];

describe("the crawl", () => {
  it("finds every visible product with all its fields, and no hidden one; checks everything in batches of one shop; the ledger counts what the upstream's own log counts", async () => {
    await open();
    crawl.sandbox.control.hide(Number(must(visible()[0], "a product").item_id));
    await crawl.run("discover");
    const { ours, theirs } = await bothSides();
    expect(ours).toHaveLength(theirs.length);
    expect(ours).toEqual(theirs);
    await crawl.run("revalidate");
    const refreshes = calls().filter((call) => call.operation === "refresh");
    const shopOf = new Map(
      crawl.sandbox.control.items().map((item) => [item.item_id, item.shop_id]),
    );
    for (const { asked, params } of refreshes) {
      expect(asked.length).toBeLessThanOrEqual(50);
      expect(asked.every((id) => shopOf.get(id) === params.shop_id)).toBe(true);
    }
    expect(new Set(refreshes.flatMap((call) => call.asked)).size).toBe(visible().length);
    const budget = await readBudget(crawl.db, systemClock.now(), crawl.rules);
    expect(budget.used).toBe(calls().length);
    const ledger = await readCalls(crawl.db, { limit: 10_000 });
    expect(ledger.every((call) => call.outcome === "ok")).toBe(true);
    for (const call of ledger) {
      const { returned, created, changed, unchanged, quarantined, duplicates } = call;
      expect(returned).toBe(
        (created ?? 0) + (changed ?? 0) + (unchanged ?? 0) + (quarantined ?? 0) + (duplicates ?? 0),
      );
    }
  });

  itLong(
    "the feed finds what was modified, and then costs one call a keyword while nothing is",
    async () => {
      await open({ discovered: true });
      await crawl.run("feed");
      const id = Number(must(visible()[0], "a product").item_id);
      crawl.sandbox.control.edit(id, { price: 12 });
      await crawl.run("feed");
      expect((await readProduct(crawl.db, id))?.price).toBe(12);
      const before = calls().length;
      await crawl.run("feed");
      expect(calls().length - before).toBe(crawl.sandbox.keywords.length);
    },
  );

  it("deletions are proven by refresh alone, never by absence from a search; new products are found from the newest ids, without another full scan; a silent edit, whose modified did not move, is found by revalidation", async () => {
    await open({ discovered: true });
    const [first, second] = visible();
    const item = must(first, "a product");
    const id = Number(item.item_id);
    const edited = Number(must(second, "another product").item_id);
    crawl.sandbox.control.remove(id);
    crawl.sandbox.control.edit(edited, { price: 11 }, { silent: true });
    await crawl.run("feed");
    crawl.sandbox.control.add({ ...item, item_id: 999_999_999, title: "新入荷" });
    const before = calls().length;
    await crawl.run("discover");
    expect(await readProduct(crawl.db, 999_999_999)).toMatchObject({ title: "新入荷" });
    expect(calls().length - before).toBeLessThanOrEqual(2 * crawl.sandbox.keywords.length);
    expect((await readProduct(crawl.db, id))?.state).toBe("live");
    await crawl.run("revalidate");
    expect((await readProduct(crawl.db, id))?.state).toBe("gone");
    expect((await readProduct(crawl.db, edited))?.price).toBe(11);
    const { ours, theirs } = await bothSides();
    expect(ours).toEqual(theirs);
  });

  it("U19: a batch that comes back empty once, then full, deletes nothing", async () => {
    await open({ discovered: true });
    const live = visible().length;
    crawl.sandbox.control.faults.fail("empty_refresh", 1);
    await crawl.run("revalidate");
    expect((await bothSides()).ours).toHaveLength(live);
  });

  itLong("a closed shop disappears after the second empty answer", async () => {
    await open({ discovered: true });
    const shopId = String(must(visible()[0], "a product").shop_id);
    const removed = visible().filter((item) => item.shop_id === shopId).length;
    crawl.sandbox.control.removeShop(shopId);
    await crawl.run("revalidate");
    const [row] = await crawl.db.execute(
      sql`select count(*) as n from product where shop_id = ${shopId} and state = 'gone'`,
    );
    expect(row).toEqual({ n: removed });
  });

  it.each(spoilt)(
    "U4: after a reply spoilt as $faults the same page is asked again and nothing is lost",
    async ({ faults }) => {
      await open({ sandbox: { products: 40 } });
      for (const fault of faults) crawl.sandbox.control.faults.fail(fault, 1);
      await crawl.run("discover");
      const { ours, theirs } = await bothSides();
      expect(ours).toEqual(theirs);
      const ledger = await readCalls(crawl.db, { limit: 1000, status: "failed" });
      expect(ledger).toHaveLength(faults.length);
      expect(
        ledger.length + (await readCalls(crawl.db, { limit: 1000, status: "ok" })).length,
      ).toBe(calls().length);
    },
  );

  it("U22: the upstream's day_api_limit stops every process with at most one call each", async () => {
    await open({ sandbox: { dailyLimit: 10 } });
    crawl.addProcess();
    await startRun(crawl.db, "discover", "manual", systemClock.now());
    const closed = async () =>
      (await readBudget(crawl.db, systemClock.now(), crawl.rules)).refusedAt;
    await until(closed, { what: "the day is closed" });
    await startRun(crawl.db, "revalidate", "manual", systemClock.now());
    crawl.addProcess();
    await until(
      async () => (await readCalls(crawl.db, { limit: 100, status: "unknown" })).length === 0,
      {
        what: "calls under way are settled",
      },
    );
    expect(calls().length).toBeLessThanOrEqual(10 + 2);
  });

  it("never exceeds its own limit, whatever the number of processes, while the upstream would allow more", async () => {
    await open({ rules: { dailyLimit: 12 } });
    for (let i = 0; i < 3; i += 1) crawl.addProcess();
    await startRun(crawl.db, "discover", "manual", systemClock.now());
    await startRun(crawl.db, "revalidate", "manual", systemClock.now());
    await until(
      async () => (await readBudget(crawl.db, systemClock.now(), crawl.rules)).remaining === 0,
      {
        what: "the budget is spent",
      },
    );
    await until(
      async () => (await readCalls(crawl.db, { limit: 100, status: "unknown" })).length === 0,
      {
        what: "calls under way are settled",
      },
    );
    expect(calls()).toHaveLength(12);
  });

  itLong(
    "U24: refused credentials stop the calls at once, with one probe an interval",
    async () => {
      await open();
      crawl.sandbox.control.faults.fail("auth_error", 100);
      await startRun(crawl.db, "discover", "manual", systemClock.now());
      const blocked = async () => (await readCrawlState(crawl.db)).block;
      const block = await until(blocked, { what: "the crawl is blocked" });
      expect(block.code).toBe("auth_error");
      expect(block.until.getTime()).toBeGreaterThan(systemClock.now().getTime() + 50_000);
      expect(calls().length).toBeLessThanOrEqual(2);
    },
  );

  itLong("U25: a refused batch does not hold up the others", async () => {
    await open({ discovered: true });
    crawl.sandbox.control.faults.fail("bad_params", 1);
    await crawl.run("revalidate");
    const refreshes = calls().filter((call) => call.operation === "refresh");
    expect(new Set(refreshes.flatMap((call) => call.asked)).size).toBe(visible().length);
  });

  itLong("makes no call while ops have paused it, and goes on where it stopped", async () => {
    await open({ sandbox: { products: 40 } });
    await pause(crawl.db, systemClock.now());
    await startRun(crawl.db, "discover", "manual", systemClock.now());
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(calls()).toHaveLength(0);
    await resume(crawl.db, systemClock.now());
    // The first test shows that everything is found.
    const most = inject("long") ? visible().length : 1;
    const isFound = async () => {
      const [row] = await crawl.db.execute<{ n: number }>(sql`select count(*) as n from product`);
      return (row?.n ?? 0) >= most;
    };
    await until(isFound, { what: `${most} products` });
  });

  itLong(
    "a run by hand waits for a keyword of which a scheduled call is under way, and looks at it then",
    async () => {
      let letGo = () => {};
      const released = new Promise<void>((resolve) => (letGo = resolve));
      let isHeld = false;
      crawl = await createTestCrawl({
        discovered: true,
        through: (client) => ({
          ...client,
          async search(params, ...rest) {
            if (!isHeld && params.sort?.[0]?.column === "modified") {
              isHeld = true;
              await released;
            }
            return client.search(params, ...rest);
          },
        }),
      });
      await startRun(crawl.db, "feed", "cron", systemClock.now());
      await until(() => isHeld, { what: "a scheduled call" });
      await startRun(crawl.db, "discover", "manual", systemClock.now());
      await crawl.run("revalidate");
      letGo();
      const runs = () => readLastRuns(crawl.db, "discover");
      await until(async () => (await runs()).active === null, { what: "the end of the run" });
      expect((await runs()).last).toMatchObject({ calls: crawl.sandbox.keywords.length });
    },
  );
});

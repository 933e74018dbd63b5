import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { readProduct } from "../../src/catalog/products.ts";
import { readCalls } from "../support/calls.ts";
import { startRun, type CrawlJob } from "../../src/crawl/budget/jobs.ts";
import {
  readCrawlState,
  forAll,
  setBlock,
  anomalousAnswers,
  type Block,
} from "../../src/crawl/safety/pause.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { FixRequest } from "../../src/storefront/errors.ts";
import type { RefreshPage, SearchPage } from "../../src/storefront/product.ts";
import { createTestApi } from "../support/api.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
/** Changes the upstream's answers on their way. */
let spoil: {
  search?: (page: SearchPage) => SearchPage;
  refresh?: (page: RefreshPage, itemIds: readonly number[]) => RefreshPage;
} = {};
afterEach(() => crawl.close());

const sizes = ({ control } = crawl.sandbox) => {
  const shops = new Map<string, number[]>();
  for (const item of control.items()) {
    const shopId = String(item.shop_id);
    shops.set(shopId, [...(shops.get(shopId) ?? []), Number(item.item_id)]);
  }
  return [...shops].toSorted((a, b) => b[1].length - a[1].length);
};

function leaveLargeShops(sandbox: RunningSandbox): void {
  for (const [shopId, ids] of sizes(sandbox)) {
    if (ids.length < 12) sandbox.control.removeShop(shopId);
  }
}

/** Only shops of some size, whose products are all known. */
async function open(products = 600): Promise<void> {
  spoil = {};
  crawl = await createTestCrawl({
    sandbox: { products },
    arrange: leaveLargeShops,
    discovered: true,
    through: (client) => ({
      async search(params, signal) {
        const page = await client.search(params, signal);
        return spoil.search ? spoil.search(page) : page;
      },
      async refresh(params, signal) {
        const page = await client.refresh(params, signal);
        return spoil.refresh ? spoil.refresh(page, params.itemIds) : page;
      },
    }),
  });
}

const calls = () => crawl.sandbox.control.calls.all();
const blockNow = async () => (await readCrawlState(crawl.db)).block;

async function stopped(job: CrawlJob): Promise<Block> {
  await startRun(crawl.db, job, "manual", systemClock.now());
  await until(async () => (await blockNow())?.code === anomalousAnswers, {
    what: "the crawl to stop",
  });
  await settled();
  return must(await blockNow(), "a block");
}

async function settled(): Promise<void> {
  await until(
    async () => (await readCalls(crawl.db, { limit: 100, status: "unknown" })).length === 0,
    { what: "calls under way are settled" },
  );
}

/** Ends the pause, as if its time had passed. */
async function passTime(): Promise<void> {
  const block = must(await blockNow(), "a block");
  await setBlock(crawl.db, { ...block, ...forAll(new Date(0)) }, systemClock.now());
}

async function contents(): Promise<unknown[]> {
  return crawl.db.execute(sql`
    select item_id, ver, state, title, detail, price, images, categories from product order by 1`);
}

const blank = <P extends RefreshPage>(page: P): P => ({
  ...page,
  items: page.items.map((item) => ({
    ...item,
    detail: "",
    images: [null, null, null, null, null],
  })),
});

const unreadable = <P extends RefreshPage>(page: P): P => ({
  ...page,
  items: [],
  broken: page.items.map((item) => ({ itemId: item.itemId, reason: "price: wrong", raw: "{}" })),
});

describe("the pause after anomalous answers", () => {
  it("U9: stops when every item comes without what it had, stores none of it, and says so to ops", async () => {
    await open();
    const before = await contents();
    const callsBefore = calls().length;
    spoil = { refresh: blank };
    const block = await stopped("revalidate");
    expect(block.reason).toMatch(/\d+ of \d+ products have lost their (detail|images)/);
    expect(block.until.getTime()).toBeGreaterThan(systemClock.now().getTime() + 30_000);
    expect(calls().length - callsBefore).toBeLessThanOrEqual(8);
    expect(await contents()).toEqual(before);
    const api = createTestApi(crawl.db);
    expect(await (await api.ops("GET", "/ops/v1/pause")).json()).toMatchObject({
      paused: false,
      block: { code: anomalousAnswers, reason: block.reason, failures: 1 },
    });
    expect(await (await api.get("/metrics")).text()).toContain("kurabe_crawl_anomalies 1");
  });

  itLong(
    "tries again with one call at a time, waits longer each time, and reopens on a good answer",
    async () => {
      await open();
      spoil = { refresh: unreadable };
      expect((await stopped("revalidate")).reason).toMatch(/\d+ of \d+ items are unreadable/);
      for (const failures of [2, 3]) {
        const before = calls().length;
        await passTime();
        const block = await until(
          async () => {
            const now = await blockNow();
            return now?.failures === failures && now;
          },
          { what: "a probe" },
        );
        await settled();
        expect(calls().length - before).toBe(1);
        const waitMs = block.until.getTime() - systemClock.now().getTime();
        expect(waitMs).toBeGreaterThan(60_000 * 2 ** (failures - 1) - 10_000);
      }
      spoil = {};
      await startRun(crawl.db, "feed", "manual", systemClock.now());
      await passTime();
      await until(async () => (await blockNow()) === null, { what: "the crawl to go on" });
      await until(
        async () => {
          const [row] = await crawl.db.execute<{ n: number }>(
            sql`select count(*) as n from job_run where finished_at is null`,
          );
          return row?.n === 0;
        },
        { what: "the pass to end" },
      );
    },
  );

  itLong("U9: stops when items cannot be read any more, keeping their raw text", async () => {
    await open();
    spoil = { refresh: unreadable };
    const { reason } = await stopped("revalidate");
    expect(reason).toMatch(/\d+ of \d+ items are unreadable: price: wrong/);
    const [row] = await crawl.db.execute<{ n: number }>(sql`select count(*) as n from quarantine`);
    expect(row?.n).toBeGreaterThan(20);
  });

  it("U18: stops when every keyword suddenly finds nothing, and does not take it for the end of a full scan", async () => {
    await open();
    for (const q of ["財布 革", "バッグ 革", "器"]) {
      await addKeyword(crawl.db, { q, source: "ops" }, systemClock.now());
    }
    await crawl.db.execute(
      sql`update crawl_query set found = 500, scanned_at = now() - interval '1 day'`,
    );
    const live = (await contents()).length;
    spoil = { search: (page) => ({ ...page, found: 0, items: [] }) };
    const { reason } = await stopped("feed");
    expect(reason).toMatch(/found 0, but 500 the last time/);
    expect(await contents()).toHaveLength(live);
    const [row] = await crawl.db.execute<{ lost: number }>(
      sql`select count(*) as lost from product where state <> 'live'`,
    );
    expect(row?.lost).toBe(0);
  });

  it("U19: stops when whole shops vanish one after another, before most of them are dropped", async () => {
    await open();
    spoil = { refresh: (page) => ({ ...page, items: [] }) };
    const { reason } = await stopped("revalidate");
    expect(reason).toMatch(/none of \d+ products of .* exists any more/);
    const [row] = await crawl.db.execute<{ shops: number; gone: number }>(sql`
      select count(distinct shop_id) as shops, count(distinct shop_id) filter (where state = 'gone') as gone
      from product`);
    expect(row?.gone).toBeLessThanOrEqual(4);
    expect(row?.shops).toBeGreaterThan(5);
  });

  itLong("ops end it: for a day the answers that they accept are stored", async () => {
    await open();
    spoil = { refresh: blank };
    await stopped("revalidate");
    const api = createTestApi(crawl.db);
    expect(await (await api.ops("POST", "/ops/v1/resume")).json()).toMatchObject({
      block: null,
      believed_until: expect.any(String),
    });
    // The stopped pass goes on; the next one checks the products that were in doubt.
    await crawl.run("revalidate");
    await crawl.run("revalidate");
    const [row] = await crawl.db.execute<{ n: number }>(
      sql`select count(*) as n from product where detail <> ''`,
    );
    expect(row?.n).toBe(0);
  });

  itLong("one odd shop is that shop's matter", async () => {
    await open();
    const [shopId] = must(sizes()[0], "a shop");
    spoil = {
      refresh: (page) =>
        page.items.some((item) => item.shopId === shopId) ? unreadable(page) : page,
    };
    await crawl.run("revalidate");
    expect(await blockNow()).toBeNull();
  });
});

if (inject("long")) {
  describe("a refused batch", () => {
    it.each([1, 2])(
      "U25: is halved until the %i offending ids stand alone, and all others are checked",
      async (offenders) => {
        await open();
        const ids = must(sizes()[0], "a shop")[1].toSorted((a, b) => a - b);
        const bad = [must(ids[7], "an id"), ...(offenders === 1 ? [] : [must(ids[30], "an id")])];
        const since = systemClock.now();
        const before = calls().length;
        spoil = {
          refresh(page, asked) {
            if (asked.some((id) => bad.includes(id)))
              throw new FixRequest("bad_params", "bad_params");
            return page;
          },
        };
        await crawl.run("revalidate");
        const rows = await crawl.db.execute<{ item_id: number }>(sql`
        select item_id from product where state = 'live' and checked_at < ${since.toISOString()}
        order by item_id`);
        expect(rows.map((row) => row.item_id)).toEqual(bad);
        const quarantined = await crawl.db.execute<{ item_id: number }>(
          sql`select item_id from quarantine order by item_id`,
        );
        expect(quarantined.map((row) => row.item_id)).toEqual(bad);
        const shops = new Set(crawl.sandbox.control.items().map((item) => item.shop_id)).size;
        expect(calls().length - before).toBeLessThanOrEqual(shops + 5 + 12 * offenders);
        expect((await readProduct(crawl.db, must(bad[0], "an id")))?.state).toBe("live");
      },
    );

    it("U25: costs no more than its allowance where the whole shop is refused", async () => {
      await open();
      const [shopId] = must(sizes()[0], "a shop");
      let refused = 0;
      spoil = {
        refresh(page) {
          if (!page.items.some((item) => item.shopId === shopId)) return page;
          refused += 1;
          throw new FixRequest("bad_params", "bad_params");
        },
      };
      await crawl.run("revalidate");
      expect(refused).toBeGreaterThan(2);
      expect(refused).toBeLessThanOrEqual(26);
      expect(await blockNow()).toBeNull();
    });
  });
}

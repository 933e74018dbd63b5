import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { readCalls } from "../support/calls.ts";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { must } from "../../src/lib/must.ts";
import type { StorefrontClient } from "../../src/storefront/client.ts";
import { FixRequest } from "../../src/storefront/errors.ts";
import type { SearchPage } from "../../src/storefront/product.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const answering =
  (search: (start: number) => SearchPage) =>
  (client: StorefrontClient): StorefrontClient => ({
    ...client,
    search: async (params) => search(params.start ?? 0),
  });

const pageOf = (ids: readonly number[], found: number | null, start: number): SearchPage => ({
  found,
  start,
  items: ids.map((id) => searchItem(id)),
  broken: [],
  unknownFields: [],
  truncatedFields: 0,
});

const range = (from: number, n: number) => Array.from({ length: n }, (_, i) => from + i);
const idsOf = async (state: string) =>
  (
    await crawl.db.execute<{ item_id: number }>(
      sql`select item_id from product where state = ${state} order by item_id`,
    )
  ).map((row) => row.item_id);

const oddAnswers: [string, number[], number | null, number?][] = [
  ["tells no number, and shows 20 of the 50 that are asked for", range(1, 200), null, 20],
  ["sorts the other way round", range(1, 200).toReversed(), 200],
  ["tells how many a page has instead of how many are found", range(1, 200), 50],
];

describe("a full scan over moving pages", () => {
  itLong(
    "U17: misses nothing that stays while others come and go between pages, and deletes nothing",
    async () => {
      let moved = 0;
      crawl = await createTestCrawl({
        sandbox: { products: 500 },
        through: (client) => ({
          ...client,
          async search(params, signal) {
            const page = await client.search(params, signal);
            // After each page one of the seen products is removed, and one is added at the end.
            const seen = page.items[3];
            if (seen && params.start !== undefined && moved < 30) {
              const { items, remove, add } = crawl.sandbox.control;
              const item = items().find((one) => one.item_id === seen.itemId);
              if (!item) return page;
              moved += 1;
              remove(seen.itemId);
              add({ ...item, item_id: 900_000_000 + moved });
            }
            return page;
          },
        }),
      });
      const visible = () =>
        crawl.sandbox.control
          .items()
          .flatMap((item) => (item.visible === 1 ? [Number(item.item_id)] : []));
      const before = new Set(visible());
      await crawl.run("discover");
      const stayed = visible().filter((id) => before.has(id));
      expect(moved).toBeGreaterThan(5);
      const live = new Set(await idsOf("live"));
      expect(stayed.filter((id) => !live.has(id))).toEqual([]);
      expect(await idsOf("gone")).toEqual([]);
    },
  );

  itLong(
    "U18: ends although the upstream claims to find ever more and repeats its last page",
    async () => {
      let asked = 0;
      crawl = await createTestCrawl({
        through: answering((start) => {
          asked += 1;
          return pageOf(range(start < 100 ? start + 1 : 101, 50), Number.MAX_SAFE_INTEGER, start);
        }),
      });
      const keywords = crawl.sandbox.keywords.length;
      await crawl.run("discover");
      expect(asked).toBeLessThanOrEqual(keywords * 5);
      expect(await idsOf("live")).toEqual(range(1, 150));
    },
  );

  it.each(inject("long") ? oddAnswers : oddAnswers.slice(0, 1))(
    "U17, U18: finds all where the upstream %s",
    async (_, ids, found, most = 50) => {
      crawl = await createTestCrawl({
        keywords: 2,
        through: answering((start) => pageOf(ids.slice(start, start + most), found, start)),
      });
      await crawl.run("discover");
      expect(await idsOf("live")).toEqual(range(1, 200));
      const known = await crawl.db.execute(sql`select distinct found from crawl_query`);
      expect(known).toEqual([{ found: found ?? 200 }]);
    },
  );

  itLong("U18: moves on where the upstream finds a hundred less with each answer", async () => {
    let asked = 0;
    crawl = await createTestCrawl({
      keywords: 1,
      through: answering((start) =>
        pageOf(range(start + 1, Math.min(50, 200 - start)), 3000 - 100 * (asked += 1), start),
      ),
    });
    await crawl.run("discover");
    expect(await idsOf("live")).toEqual(range(1, 200));
    expect(asked).toBeLessThan(20);
  });

  it("U26: refusals that come fast make no call come sooner, and soon end all calls", async () => {
    crawl = await createTestCrawl({
      rules: { maxCallsPerSecond: 20 },
      through: answering(() => {
        throw new FixRequest("search_error", "search_error");
      }),
    });
    await crawl.db.execute(sql`
      insert into crawl_query (q, source, created_at)
      select 'keyword ' || i, 'seed', now() from generate_series(1, 30) i`);
    await startRun(crawl.db, "discover", "manual", systemClock.now());
    await until(async () => (await readCrawlState(crawl.db)).block !== null, { what: "a stop" });
    const ledger = (await readCalls(crawl.db, { limit: 1000 })).toReversed();
    expect(ledger.length).toBeGreaterThanOrEqual(4);
    expect(ledger.length).toBeLessThanOrEqual(8);
    for (const [i, call] of ledger.slice(1).entries()) {
      const before = must(ledger[i], "the call before").reservedAt.getTime();
      expect(call.reservedAt.getTime() - before).toBeGreaterThanOrEqual(49);
    }
  });
});

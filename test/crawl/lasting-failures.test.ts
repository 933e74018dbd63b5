import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { must } from "../../src/lib/must.ts";
import {
  nineMegabytes,
  noItems,
  refused,
  spoilt,
  status,
  type UpstreamFault,
} from "../support/faulty-upstream.ts";
import { itLong } from "../support/it-long.ts";
import {
  CALLS_PER_DAY,
  keywords,
  lastingFaultsForEach,
  smallCrawl,
  state,
} from "../support/lasting-faults.ts";
import type { SimulatedCrawl } from "../support/simulated-crawl.ts";
import { items, largestShops, refreshOnly } from "../support/simulated-market.ts";

const isLong = inject("long");
const DAYS = isLong ? 1 : 0.4;
/** The upstream's limit, which shares of calls refer to. */
const FULL_DAY = 10_000;
const small = smallCrawl(isLong);
const start = lastingFaultsForEach();

/** Goes on to the end of the run; the mean age of these products over its second half. */
async function meanHours(crawl: SimulatedCrawl, ids: ReadonlySet<number>): Promise<number> {
  await crawl.pass(DAYS * 12);
  let sum = 0;
  const times = Math.ceil(DAYS * 6);
  for (let time = 0; time < times; time += 1) {
    await crawl.pass(2);
    sum += (await state(crawl, (id) => ids.has(id))).meanHours;
  }
  return sum / times;
}

describe("what stays wrong harms only itself", () => {
  // The next one shows that a product harms only itself, `lasting-obstacles.test.ts` that an item does.
  itLong(
    "B1: one page at 500, one shop whose refreshes fail and one keyword of 9 MB leave the rest at its pace",
    async () => {
      // New keywords are of most value where fewest products are known, which is beside the question here.
      const probe = await start([], { proposes: false });
      const [badShop = ""] = largestShops(probe.crawl, 1);
      const [badList = "", badKeyword = ""] = keywords;
      const position = 37;
      const faults: UpstreamFault[] = [
        {
          concerns: ({ operation, q, sort, start: from, size }) =>
            operation === "search" &&
            q === badList &&
            sort.startsWith("item_id asc") &&
            from <= position &&
            position < from + size,
          answer: status(500),
        },
        {
          concerns: ({ operation, shopId }) => operation === "refresh" && shopId === badShop,
          answer: status(503),
        },
        {
          concerns: ({ operation, q }) => operation === "search" && q === badKeyword,
          answer: nineMegabytes,
        },
      ];
      const { crawl, upstream } = await start(faults, { proposes: false });
      await probe.crawl.pass(1);
      await crawl.pass(1);
      const firstHour = upstream.faulty.length;
      // All products of other keywords are stored; of the bad list only one position is missing.
      const expected = items(crawl).filter(
        (item) =>
          item.visible &&
          keywords.some((keyword) => keyword !== badKeyword && item.text.includes(keyword)),
      );
      const rest = new Set(
        expected.filter((item) => item.shopId !== badShop).map((item) => item.id),
      );
      const usual = await meanHours(probe.crawl, rest);
      const hours = await meanHours(crawl, rest);
      const { ids } = await state(crawl);
      const missing = expected.filter((item) => !ids.has(item.id));
      expect(missing.length).toBeLessThanOrEqual(1);
      expect(usual / hours).toBeGreaterThan(0.95);
      const after = upstream.faulty.length - firstHour;
      expect(after).toBeGreaterThan(0);
      expect(after).toBeLessThanOrEqual(0.02 * DAYS * FULL_DAY);
      // The number of tries does not grow with the budget: it is a small part even of this small one.
      expect(after).toBeLessThanOrEqual(0.15 * DAYS * CALLS_PER_DAY);
      expect((await readCrawlState(crawl.db)).block).toBeNull();
    },
  );

  itLong(
    "B1: a product that makes every refresh fail is found by halves, isolated, and asked for ever more rarely",
    async () => {
      let isRefreshing = false;
      let bad = 0;
      const { crawl, upstream } = await start(
        [
          {
            concerns({ itemIds }) {
              // One of the first batch that can be halved twice.
              if (isRefreshing && bad === 0 && itemIds.length >= 4) bad = itemIds[1] ?? 0;
              return itemIds.includes(bad);
            },
            answer: status(500),
          },
        ],
        // So many calls a day that one failing product may be tried every hour; the crawl's waits let it make few.
        { ...small, products: 120, callsPerDay: 2400 },
      );
      await crawl.pass(2);
      await refreshOnly(crawl);
      isRefreshing = true;
      const sizes = () => upstream.faulty.map(({ call }) => call.itemIds.length);
      await crawl.pass(36, () => sizes().filter((size) => size === 1).length < 6);
      const halvings = sizes().slice(0, -6);
      expect(halvings.length).toBeGreaterThanOrEqual(2);
      for (const [i, size] of halvings.entries()) {
        expect(sizes()[i + 1]).toBeLessThanOrEqual(Math.ceil(size / 2));
      }
      expect(sizes().slice(-6)).toEqual([1, 1, 1, 1, 1, 1]);
      const rows = await crawl.db.execute<{ key: string; isolated: boolean }>(
        sql`select key, isolated from backoff where kind = 'product'`,
      );
      expect(rows).toEqual([{ key: String(bad), isolated: true }]);
      const tries = await crawl.db.execute<{ at: string; hours: number }>(sql`
      select reserved_at as at,
        extract(epoch from reserved_at - lag(reserved_at) over (order by id))::float8 / 3600 as hours
      from api_call where operation = 'refresh' and outcome = 'http_500' order by id`);
      // After 2 s and 1 min, which the waits make longer: 1 h, 2 h, 4 h.
      const [first = 0, second = 0, third = 0] = tries.slice(-3).map(({ hours }) => hours);
      expect(first).toBeGreaterThanOrEqual(1);
      expect(second).toBeGreaterThanOrEqual(2);
      expect(third).toBeGreaterThanOrEqual(4);
      const unchecked = async () => {
        const left = await crawl.db.execute<{ item_id: number }>(sql`
        select item_id from product where checked_at < ${must(tries[0], "a failure").at}
          and shop_id = (select shop_id from product where item_id = ${bad})`);
        return left.map((row) => row.item_id);
      };
      await crawl.pass(36, async () => (await unchecked()).length > 1);
      expect(await unchecked()).toEqual([bad]);
      const [quarantined] = await crawl.db.execute<{ n: number }>(
        sql`select count(*) as n from quarantine where item_id = ${bad}`,
      );
      expect(quarantined?.n).toBe(1);
    },
  );

  itLong(
    "B1: a page that fails wherever in it a call begins is left out soon, and the first scan goes on below it",
    async () => {
      const [from, to] = [49, 80];
      const { crawl, upstream } = await start(
        [
          {
            concerns: ({ operation, sort, start: at }) =>
              operation === "search" && sort.startsWith("item_id asc") && at >= from && at < to,
            answer: status(500),
          },
        ],
        { ...small, products: 150, keywords: ["の", "財布"], callsPerDay: 1200, idleMinutes: 0.5 },
      );
      const expected = items(crawl)
        .filter((item) => item.visible && item.text.includes("の"))
        .toSorted((a, b) => a.id - b.id);
      expect(expected.length).toBeGreaterThan(to + 10);
      await crawl.pass(1.5);
      const { ids } = await state(crawl);
      const missing = expected.filter((item) => !ids.has(item.id));
      expect(missing.length).toBeLessThanOrEqual(to - from + 1);
      const scanned = await crawl.db.execute(
        sql`select from crawl_query where source = 'seed' and scanned_at is not null`,
      );
      expect(scanned).toHaveLength(2);
      // Seven to find the first position, two to try it again, and 1, 2, 4, 8 and 16 positions at a time.
      expect(upstream.faulty.length).toBeLessThanOrEqual(2 * 14);
    },
  );

  it("U17: a page that is empty once, which contradicts the pages before it, ends no first scan", async () => {
    let empty = 0;
    const fault: UpstreamFault = {
      concerns: ({ operation, start: from }) => operation === "search" && from > 0 && empty === 0,
      answer() {
        empty += 1;
        return noItems();
      },
    };
    const { crawl } = await start([fault], { ...small, products: 150, keywords: ["の"] });
    await crawl.pass(1);
    const [keyword] = await crawl.db.execute(sql`
      select ends_at, scanned_at is not null as is_scanned from crawl_query where source = 'seed'`);
    expect({ ...keyword, empty }).toEqual({ ends_at: null, is_scanned: true, empty: 1 });
  });

  itLong(
    "B5: pages of the most ordered that are refused for every keyword are tried rarely and stop nothing",
    async () => {
      const blocks: unknown[] = [];
      const { crawl, upstream } = await start(
        [{ concerns: ({ sort }) => sort.startsWith("order_count"), answer: refused }],
        { idleMinutes: 6 },
      );
      await crawl.pass(DAYS * 24, async () => {
        const { block } = await readCrawlState(crawl.db);
        if (block) blocks.push(block);
      });
      expect(upstream.faulty.length).toBeGreaterThanOrEqual(keywords.length);
      const lists = new Set(upstream.faulty.map(({ call }) => `${call.q} ${call.shopId}`)).size;
      expect(upstream.faulty.length).toBeLessThanOrEqual(6 * lists);
      expect(blocks.filter((block) => JSON.stringify(block).includes("anomalous"))).toEqual([]);
      expect(crawl.calls()).toBeGreaterThan(60 * DAYS);
    },
  );

  itLong(
    "B10: products that cannot be read, or that the upstream shows at another shop, are asked for ever more rarely",
    async () => {
      let unreadable: number[] = [];
      let moved: number[] = [];
      const { crawl, upstream } = await start(
        [
          {
            concerns: ({ itemIds }) => itemIds.some((id) => unreadable.includes(id)),
            answer: spoilt((item) => ({ ...item, price: "?" })),
          },
          {
            concerns: ({ itemIds }) => itemIds.some((id) => moved.includes(id)),
            answer: spoilt((item) => ({ ...item, shop_id: "elsewhere" })),
          },
          // Searches do not show them: only refreshes do.
          {
            concerns: ({ operation }) => operation === "search" && moved.length > 0,
            answer: noItems,
          },
        ],
        small,
      );
      await crawl.pass(2);
      const { ids } = await state(crawl);
      const known = items(crawl).filter((item) => ids.has(item.id));
      const ofShop = (place: number) => {
        const shops = [...new Set(known.map((item) => item.shopId))];
        return known.filter((item) => item.shopId === shops[place]).map((item) => item.id);
      };
      [unreadable, moved] = [ofShop(0), ofShop(1)];
      await crawl.pass(72);
      const rows = await crawl.db.execute<{ key: string; code: string }>(sql`
      select key, code from backoff where kind = 'product'`);
      const codes = new Map(rows.map(({ key, code }) => [Number(key), code]));
      for (const [code, bad] of [
        ["unreadable", unreadable],
        ["moved", moved],
      ] as const) {
        expect(bad.map((id) => codes.get(id))).toEqual(bad.map(() => code));
        const asked = upstream.faulty.filter(({ call }) =>
          call.itemIds.some((id) => bad.includes(id)),
        ).length;
        expect(asked).toBeGreaterThanOrEqual(2);
        // 6, 12 and 24 hours apart: a try every quarter of a day would have made 12.
        expect(asked).toBeLessThanOrEqual(6);
      }
    },
  );
});

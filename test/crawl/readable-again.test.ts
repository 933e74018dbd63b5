import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { observeRefresh, observeSearch } from "../../src/catalog/observing/observe.ts";
import { createKeywordCaller } from "../../src/crawl/keywords/keyword-call.ts";
import { addKeyword, listKeywords } from "../../src/crawl/learning/keywords.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createRevalidation } from "../../src/crawl/products/revalidation.ts";
import { idList } from "../../src/db/rows.ts";
import { must } from "../../src/lib/must.ts";
import { spoilt } from "../support/faulty-upstream.ts";
import { itLong } from "../support/it-long.ts";
import { lastingFaultsForEach, smallCrawl } from "../support/lasting-faults.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { items, largestShops, refreshOnly } from "../support/simulated-market.ts";

const start = lastingFaultsForEach();
const test = openedForEach(createTestDb);
const hour = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000);
let calls = 0;

/** A crawl of these products of a shop, of which some cannot be read by refreshes, or by searches. */
async function crawlOf(ids: readonly number[], shopOf = (_id: number) => "shop-1") {
  const state = createPlannerState(test.db, { dailyLimit: 10_000, timezone: "Asia/Tokyo" });
  await state.refresh(0);
  const revalidation = createRevalidation(test.db, state);
  await addKeyword(test.db, { q: "革", source: "seed" }, hour(0));
  const keyword = must((await listKeywords(test.db))[0], "the keyword");
  const split = (shown: readonly number[], broken: readonly number[]) => ({
    items: shown
      .filter((id) => !broken.includes(id))
      .map((id) => searchItem(id, { shopId: shopOf(id) })),
    broken: shown
      .filter((id) => broken.includes(id))
      .map((itemId) => ({ itemId, reason: "price: expected number", raw: "{}" })),
    unknownFields: [],
    truncatedFields: 0,
  });
  const sent = (n: number) => ({ callId: (calls += 1), sentAt: hour(n) });

  async function search(n: number, shown: readonly number[]): Promise<void> {
    const call = createKeywordCaller(state).call(keyword, {
      job: "feed",
      order: "modified",
      start: 0,
      value: 1,
      why: { code: "newest_changes", q: "革", start: 0 },
      progress: () => ({}),
      giveUp: () => ({}),
    });
    const page = { ...split(shown, []), found: shown.length, start: 0 };
    await test.db.transaction(async (tx) => {
      const sighting = sent(n);
      await call.settle(tx, sighting, page, await observeSearch(tx, sighting, page));
    });
  }

  /** What the planner would ask for. */
  async function plan(n: number): Promise<number[]> {
    const { calls: offered } = await revalidation.offers(hour(n));
    return [...(offered[0]?.itemIds ?? [])].toSorted((a, b) => a - b);
  }

  async function refresh(n: number, asked: number[], broken: readonly number[]): Promise<void> {
    const shopId = shopOf(asked[0] ?? 0);
    const why = { code: "pass", shopId, products: asked.length } as const;
    const call = revalidation.toCall({ shopId, itemIds: asked, value: 1, why });
    const page = split(asked, broken);
    await test.db.transaction(async (tx) => {
      const sighting = sent(n);
      const result = await observeRefresh(tx, sighting, { ...page, asked: call });
      await call.settle(tx, sighting, page, result);
    });
  }

  const wait = async () => {
    const rows = await test.db.execute<{ key: string; hours: number }>(sql`
      select key, extract(epoch from retry_at - ${hour(0).toISOString()}::timestamptz)::float8 / 3600 as hours
      from backoff where kind = 'product' order by key`);
    return rows.map(({ key, hours }) => [Number(key), hours]);
  };

  await search(0, ids);
  return { search, plan, refresh, wait, revalidation };
}

it("a product that a search can read again is refreshed again at once, and waits longer if refreshes cannot read it after all", async () => {
  const { search, plan, refresh, wait } = await crawlOf([1]);
  for (const n of [1, 7, 19]) await refresh(n, [1], [1]);
  expect(await wait()).toEqual([[1, 19 + 24]]);
  expect(await plan(30)).toEqual([]);
  await search(31, [1]);
  expect(await plan(31 + 240)).toEqual([1]);
  expect(await wait()).toEqual([[1, 31]]);
  await refresh(32, [1], [1]);
  expect(await wait()).toEqual([[1, 32 + 48]]);
});

it("one that could not be read goes with others of its shop every six hours, and ends the wait of all when it can be read", async () => {
  const { plan, refresh, wait } = await crawlOf([1, 2, 3, 4]);
  for (const n of [1, 7, 19]) await refresh(n, [1, 2, 3, 4], [1, 2, 3]);
  expect(await wait()).toEqual([1, 2, 3].map((id) => [id, 43]));
  await refresh(20, [4], []);
  expect(await plan(24)).toEqual([4]);
  const asked = await plan(42);
  expect(asked).toEqual([1, 4]);
  await refresh(42, asked, []);
  expect(await wait()).toEqual([2, 3].map((id) => [id, 42]));
  expect(await plan(43)).toEqual(expect.arrayContaining([2, 3]));
});

it("of a shop none of whose products can be read one is asked for every day, and ends the wait of all when it can be read", async () => {
  const { plan, refresh, wait } = await crawlOf([1, 2, 3]);
  for (const n of [1, 7, 19, 43, 91]) await refresh(n, [1, 2, 3], [1, 2, 3]);
  expect(await plan(114)).toEqual([]);
  expect(await plan(115.5)).toEqual([1]);
  await refresh(116, [1], [1]);
  expect(await plan(139)).toEqual([]);
  expect(await plan(140.5)).toEqual([2]);
  await refresh(141, [2], []);
  expect(await wait()).toEqual([1, 3].map((id) => [id, 141]));
  expect(await plan(141.5)).toEqual(expect.arrayContaining([1, 3]));
});

it("shops none of whose products can be read get no more than one of a hundred calls together", async () => {
  const { refresh, revalidation } = await crawlOf([1, 2, 3], (id) => `shop-${id}`);
  for (const id of [1, 2, 3]) for (const n of [1, 7, 19, 43]) await refresh(n, [id], [id]);
  const tried: number[] = [];
  for (let n = 67; n < 70; n += 0.25) {
    const { calls: offered, postpone } = await revalidation.offers(hour(n));
    await postpone();
    expect(offered.length).toBeLessThanOrEqual(1);
    for (const call of offered) {
      call.take();
      tried.push(...call.itemIds);
      await refresh(n, [...call.itemIds], call.itemIds);
    }
  }
  expect(tried.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
});

itLong(
  "a shop that no search shows is right again within a day after its prices could not be read for days",
  async () => {
    const ids = new Set<number>();
    const unreadable = {
      concerns: ({ itemIds }: { itemIds: number[] }) => itemIds.some((id) => ids.has(id)),
      answer: spoilt((item) => ({ ...item, price: "?" })),
    };
    const { crawl, upstream } = await start([unreadable], {
      ...smallCrawl(true),
      products: 40,
      maxAgeDays: 0.6,
      idleMinutes: 30,
    });
    await crawl.pass(8);
    const [shopId] = largestShops(crawl, 1);
    for (const item of items(crawl)) if (item.visible && item.shopId === shopId) ids.add(item.id);
    for (const id of ids) crawl.sandbox.control.edit(id, { visible: 0 }, { silent: true });
    await refreshOnly(crawl);
    await crawl.pass(60);
    expect(upstream.faulty.length).toBeLessThanOrEqual(6);
    for (const id of ids) crawl.sandbox.control.edit(id, { price: 4321 }, { silent: true });
    const all = [...ids];
    ids.clear();
    await crawl.pass(26);
    expect(all.length).toBeGreaterThan(2);
    const right = await crawl.db.execute(sql`
      select from product where price = 4321 and item_id in ${idList(all)}`);
    expect(right).toHaveLength(all.length);
  },
);

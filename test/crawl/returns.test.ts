import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { observeRefresh, observeSearch } from "../../src/catalog/observing/observe.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createReturns } from "../../src/crawl/products/returns.ts";
import { createRevalidation } from "../../src/crawl/products/revalidation.ts";
import type { RefreshCall } from "../../src/crawl/safety/planned-call.ts";
import { scheduleProducts } from "../support/catalog.ts";
import { itLong } from "../support/it-long.ts";
import { lastingFaultsForEach } from "../support/lasting-faults.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { items, largestShops } from "../support/simulated-market.ts";

const test = openedForEach(createTestDb);
const start = lastingFaultsForEach();

const minute = 60;
const day = 24 * 60 * minute;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const all = Array.from({ length: 84 }, (_, i) => i + 1);
let calls = 0;

const sighting = (second: number) => ({ callId: (calls += 1), sentAt: at(second) });

async function show(second: number, ids: readonly number[], shopId = "shop-1"): Promise<void> {
  await test.db.transaction(async (tx) => {
    const found = ids.map((id) => searchItem(id, { shopId }));
    await observeSearch(tx, sighting(second), { items: found, broken: [] });
    await scheduleProducts(tx);
  });
}

/** All products that still live are deleted. */
async function close(second: number): Promise<void> {
  await test.db.execute(sql`
    update product set state = 'gone', ver = ver + 1, deleted_at = ${at(second).toISOString()},
      deleted_call_id = ${(calls += 1)}, deletions = deletions + 1 where state <> 'gone'`);
  await test.db.execute(sql`delete from product_schedule`);
}

async function crawling() {
  const state = createPlannerState(test.db, { dailyLimit: 10_000, timezone: "Asia/Tokyo" });
  await state.refresh(0);
  return createReturns(test.db, createRevalidation(test.db, state).toCall);
}

/** Makes the call, whose answer shows these of the products that it asks for. */
async function make(
  call: RefreshCall | null,
  second: number,
  isShown: (id: number) => boolean,
): Promise<number[]> {
  if (!call) throw new Error("there is no call");
  const shown = call.itemIds.filter(isShown);
  const found = shown.map((id) => searchItem(id, { shopId: call.shopId }));
  const page = { items: found, broken: [], unknownFields: [], truncatedFields: 0 };
  await test.db.transaction(async (tx) => {
    const sent = sighting(second);
    const result = await observeRefresh(tx, sent, { ...page, asked: call });
    await call.settle(tx, sent, page, result);
    await scheduleProducts(tx);
  });
  return [...call.itemIds];
}

async function living(): Promise<number[]> {
  const rows = await test.db.execute<{ item_id: number }>(sql`
    select item_id from product where state <> 'gone' order by item_id`);
  return rows.map((row) => row.item_id);
}

it("one product that returns has all others asked for that were deleted with it", async () => {
  await show(0, all);
  await close(day);
  await show(8 * day, [1]);
  const next = await crawling();
  const first = await next(at(8 * day + minute));
  expect(first?.why).toMatchObject({ code: "returned", products: 49, others: 1 });
  await make(first, 8 * day + minute, () => true);
  const second = await next(at(8 * day + 2 * minute));
  expect(second?.why).toMatchObject({ code: "returned", products: 34, others: 16 });
  await make(second, 8 * day + 2 * minute, () => true);
  expect(await living()).toEqual(all);
  expect(await next(at(8 * day + 3 * minute))).toBeNull();
});

it("those that stay away are asked for once, and a living one that is missed is judged as ever", async () => {
  await show(0, [...all.slice(0, 10), 1001]);
  await close(day);
  await show(4 * day, [1, 2, 1001]);
  const next = await crawling();
  const asked = await make(
    await next(at(4 * day)),
    4 * day + minute,
    (id) => id === 1 || id === 1001,
  );
  expect(asked.toSorted((a, b) => a - b)).toEqual([...all.slice(0, 10), 1001]);
  expect(await living()).toEqual([1, 1001]);
  await show(4 * day + 20 * minute, [3]);
  expect(await next(at(4 * day + 20 * minute))).toBeNull();
});

it("none is asked for any more after an answer that shows none of them", async () => {
  await show(0, all);
  await close(day);
  await show(4 * day, [84]);
  const next = await crawling();
  const asked = await make(await next(at(4 * day)), 4 * day + minute, (id) => id === 84);
  expect(asked).toHaveLength(50);
  expect(await next(at(4 * day + 2 * minute))).toBeNull();
});

it("products that were deleted at another time are not asked for", async () => {
  await show(0, [1, 2]);
  await close(day);
  await show(2 * day, [3, 4]);
  await close(5 * day);
  await show(6 * day, [4]);
  const call = await (await crawling())(at(6 * day));
  expect(call?.itemIds).toEqual([3, 4]);
});

it("products of a shop that went on without them are not asked for", async () => {
  await show(0, [1, 2, 3]);
  await close(day);
  await show(2 * day, [4, 5]);
  await show(3 * day, [1]);
  expect(await (await crawling())(at(3 * day))).toBeNull();
});

it("products that return in another shop are asked for there", async () => {
  await show(0, [1, 2, 3]);
  await close(day);
  await show(2 * day, [2], "shop-2");
  const call = await (await crawling())(at(2 * day));
  expect(call?.shopId).toBe("shop-2");
  await make(call, 2 * day, () => true);
  expect(await living()).toEqual([1, 2, 3]);
});

it("a call that fails is not repeated, and blames none of the living products", async () => {
  await show(0, [1, 2, 3]);
  await close(day);
  await show(2 * day, [1]);
  const next = await crawling();
  const call = await next(at(2 * day));
  await test.db.transaction(async (tx) =>
    call?.failed(tx, {
      code: "http_500",
      message: "status 500",
      callId: (calls += 1),
      at: at(2 * day),
      kind: "broken",
      found: null,
      callsPerDay: 10_000,
      notBefore: null,
    }),
  );
  const rows = await test.db.execute(sql`select kind, key, isolated from backoff`);
  expect(rows).toEqual([{ kind: "shop", key: "shop-1", isolated: false }]);
  expect(await next(at(2 * day + 60 * minute))).toBeNull();
});

itLong(
  "products of a shop that was closed for hours are all shown again within hours of its return",
  async () => {
    const { crawl } = await start([], { products: 120, maxAgeDays: 0.1, callsPerDay: 600 });
    await crawl.pass(4);
    const [shopId = ""] = largestShops(crawl, 1);
    const closed = items(crawl).filter((item) => item.shopId === shopId && item.visible);
    const stored = closed.map(({ id }) => crawl.sandbox.control.item(id));
    const countLiving = async () => {
      const rows = await crawl.db.execute(sql`
        select from product where shop_id = ${shopId} and state <> 'gone'`);
      return rows.length;
    };
    const before = await countLiving();
    expect(before).toBeGreaterThan(5);
    crawl.sandbox.control.removeShop(shopId);
    await crawl.pass(6);
    expect(await countLiving()).toBe(0);
    for (const item of stored) crawl.sandbox.control.add(item);
    await crawl.pass(4);
    expect(await countLiving()).toBe(before);
  },
);

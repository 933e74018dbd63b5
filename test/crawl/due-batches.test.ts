import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { observeRefresh } from "../../src/catalog/observing/observe.ts";
import { createRevalidation } from "../../src/crawl/products/revalidation.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import type { Absences } from "../../src/db/schema.ts";
import { toDays } from "../../src/crawl/scoring/days.ts";
import { must } from "../../src/lib/must.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);
const rules = { dailyLimit: 100, timezone: "Asia/Tokyo" };
const storedAt = "2026-01-01T00:00:00Z";
const now = new Date("2026-01-03T00:00:00Z");
const later = new Date("2026-01-03T00:01:00Z");
const THRESHOLD = 20;
const EACH = 50;
let calls = 0;
const items = Array.from({ length: 4 * EACH }, (_, i) => searchItem(i + 1));

/** A shop of 200 products, all checked two days ago; its keyword finds four products less since then. */
async function openShop() {
  const { db } = test;
  await storeItems(db, storedAt, items);
  const absences: Absences = {
    found: 196,
    deleted: 0,
    born: 0,
    missing: 4,
    productDays: 400,
    share: 1,
    trust: 1,
    at: toDays(now),
    since: toDays(now),
  };
  await db.execute(sql`
    insert into crawl_query (q, source, scanned_at, feed_checked_at, found, created_at, scans)
    values ('革財布', 'seed', ${storedAt}, ${now.toISOString()}, 196, ${storedAt},
      ${JSON.stringify({ absences })}::text::jsonb)`);
  await db.execute(sql`update product_schedule set query_id = (select id from crawl_query)`);
  const state = createPlannerState(db, rules);
  await state.refresh(now.getTime());
  state.follow(THRESHOLD);
  const revalidation = createRevalidation(db, state);

  /** Refreshes 50 products, from the first one on unless told; these are deleted. */
  async function refresh(deleted: readonly number[], from = 0, sentAt = now): Promise<void> {
    const asked = items.slice(from, from + EACH);
    const itemIds = asked.map(({ itemId }) => itemId);
    const why = { code: "pass", shopId: "shop-1", products: EACH } as const;
    const call = revalidation.toCall({ shopId: "shop-1", itemIds, value: 1, why });
    const shown = asked.filter(({ itemId }) => !deleted.includes(itemId));
    const page = {
      items: shown,
      broken: [],
      unknownFields: [],
      truncatedFields: 0,
    };
    const sighting = { callId: (calls += 1), sentAt };
    await db.transaction(async (tx) => {
      await call.settle(
        tx,
        sighting,
        page,
        await observeRefresh(tx, sighting, { ...page, asked: call }),
      );
    });
  }

  async function bestValue(): Promise<number> {
    await state.refresh(later.getTime());
    const { calls } = await revalidation.offers(later);
    return Math.max(0, ...calls.map(({ value }) => value));
  }
  return { refresh, bestValue };
}

async function dueAt(): Promise<Date> {
  const [shop] = await test.db.execute<{ due_at: string }>(sql`select due_at from shop`);
  return new Date(must(shop, "the shop").due_at);
}

it("a large shop is asked on at once while some of its products are missing and none was among those asked", async () => {
  const { refresh, bestValue } = await openShop();
  await refresh([]);
  expect(await dueAt()).toEqual(now);
  expect(await bestValue()).toBeGreaterThan(THRESHOLD);
});

it("its other products are not asked for once all that were missing are proven deleted", async () => {
  const { refresh, bestValue } = await openShop();
  await refresh([3, 14, 15, 42]);
  expect(await bestValue()).toBeLessThan(THRESHOLD);
});

it("its other products are due at once after most of those asked for were deleted, until living ones are shown", async () => {
  const { refresh, bestValue } = await openShop();
  const first = items.slice(0, EACH).map(({ itemId }) => itemId);
  await refresh(first);
  await refresh(first, 0, later);
  const proven = await test.db.execute(sql`select from product where state = 'gone'`);
  expect(proven).toHaveLength(EACH);
  expect(await bestValue()).toBeGreaterThan(5 * THRESHOLD);
  await refresh([], EACH, later);
  expect(await bestValue()).toBeLessThan(THRESHOLD);
});

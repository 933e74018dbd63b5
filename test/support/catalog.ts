import { sql } from "drizzle-orm";
import { settleAbsences } from "../../src/catalog/observing/deletions.ts";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { learnLosses } from "../../src/crawl/learning/losses.ts";
import { readTotals } from "../../src/crawl/learning/statistics.ts";
import type { Db, Tx } from "../../src/db/open.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { searchItem } from "./products.ts";

let callId = 0;
let nextId = 100;

/** Stores items as a search sent at `sentAt` would. */
export async function storeItems(db: Db | Tx, sentAt: string, items: SearchItem[]): Promise<void> {
  const sighting = { callId: (callId += 1), sentAt: new Date(sentAt) };
  await db.transaction(async (tx) => {
    await observeSearch(tx, sighting, { items, broken: [] });
    await scheduleProducts(tx);
  });
}

/** Adds the planning state of products that were stored without it: due since they were first seen. */
export async function scheduleProducts(db: Db | Tx): Promise<void> {
  await db.execute(sql`
    insert into product_schedule (item_id, shop_id, checked_at, due_at)
    select item_id, shop_id, checked_at, first_seen_at from product where state <> 'gone' order by item_id
    on conflict (item_id) do update set shop_id = excluded.shop_id, checked_at = excluded.checked_at`);
}

/** Stores one new product as seen at several times, by default without a proper price. Returns its id. */
export async function seen(
  db: Db,
  ...looks: readonly [at: string, over: Partial<SearchItem>][]
): Promise<number> {
  const itemId = (nextId += 1);
  for (const [at, over] of looks) {
    await storeItems(db, at, [searchItem(itemId, { properPrice: null, ...over })]);
  }
  return itemId;
}

/** Deletes a product of shop-1 by a refresh that still shows another product of the shop. */
export async function removeItem(db: Db, sentAt: string, itemId: number): Promise<void> {
  const sighting = { callId: (callId += 1), sentAt: new Date(sentAt) };
  const answer = { shopId: "shop-1", asked: [itemId, 1], returned: [1] };
  await db.transaction(async (tx) => {
    await settleAbsences(tx, sighting, { ...answer, anonymous: false, confirmsEmpty: false });
    await learnLosses(tx, sighting, { shopId: answer.shopId, shown: 1 }, await readTotals(db));
  });
}

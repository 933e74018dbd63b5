import { settleAbsences } from "../../src/catalog/deletions.ts";
import { observeSearch } from "../../src/catalog/observe.ts";
import type { Db } from "../../src/db/open.ts";
import type { SearchItem } from "../../src/storefront/product.ts";

let callId = 0;

/** Stores items as a search sent at `sentAt` would. */
export async function storeItems(db: Db, sentAt: string, items: SearchItem[]): Promise<void> {
  const sighting = { callId: (callId += 1), sentAt: new Date(sentAt) };
  await db.transaction((tx) => observeSearch(tx, sighting, { items, broken: [] }));
}

/** Has a refresh prove the product of shop-1 deleted; another product of the shop is still there. */
export async function removeItem(db: Db, sentAt: string, itemId: number): Promise<void> {
  const sighting = { callId: (callId += 1), sentAt: new Date(sentAt) };
  const answer = { shopId: "shop-1", asked: [itemId, 1], returned: [1] };
  await db.transaction((tx) =>
    settleAbsences(tx, sighting, { ...answer, anonymous: false, confirmsEmpty: false }),
  );
}

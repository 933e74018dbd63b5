import { settleAbsences } from "../../src/catalog/deletions.ts";
import { observeSearch } from "../../src/catalog/observe.ts";
import type { Db } from "../../src/db/open.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { searchItem } from "./products.ts";

let callId = 0;
let nextId = 100;

/** Stores items as a search sent at `sentAt` would. */
export async function storeItems(db: Db, sentAt: string, items: SearchItem[]): Promise<void> {
  const sighting = { callId: (callId += 1), sentAt: new Date(sentAt) };
  await db.transaction((tx) => observeSearch(tx, sighting, { items, broken: [] }));
}

/** Shows one new product at several times, without a proper price unless told; its id. */
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

/** Has a refresh prove the product of shop-1 deleted; another product of the shop is still there. */
export async function removeItem(db: Db, sentAt: string, itemId: number): Promise<void> {
  const sighting = { callId: (callId += 1), sentAt: new Date(sentAt) };
  const answer = { shopId: "shop-1", asked: [itemId, 1], returned: [1] };
  await db.transaction((tx) =>
    settleAbsences(tx, sighting, { ...answer, anonymous: false, confirmsEmpty: false }),
  );
}

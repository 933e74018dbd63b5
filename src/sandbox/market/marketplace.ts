import type { Clock } from "../../lib/clock.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import { createIds, type Ids } from "../state/ids.ts";
import type { Journal } from "../state/journal.ts";
import { createCategories, type Categories } from "./categories.ts";
import { createOrders, type Orders } from "./orders.ts";
import { createPayouts, type Payouts } from "./payouts.ts";
import { createShops, type Shops } from "./shops.ts";

/** The data and actions of shop owners, beside the catalogue that search shows. */
export interface Marketplace {
  catalog: Catalog;
  shops: Shops;
  categories: Categories;
  orders: Orders;
  payouts: Payouts;
  ids: Ids;
  nowSeconds(): number;
  /** An id that was never used for a product. */
  newItemId(): number;
}

export function createMarketplace(options: {
  journal: Journal;
  catalog: Catalog;
  clock: Clock;
  timezone: string;
}): Marketplace {
  const { journal, catalog, clock, timezone } = options;
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);
  const ids = createIds(journal);
  const orders = createOrders(journal, catalog, nowSeconds);
  return {
    catalog,
    shops: createShops(journal, catalog),
    categories: createCategories(journal, catalog, ids, nowSeconds),
    orders,
    payouts: createPayouts({ journal, orders, ids, timezone, nowSeconds }),
    ids,
    nowSeconds,
    newItemId() {
      for (;;) {
        const itemId = ids.next("item");
        if (!catalog.get(itemId)) return itemId;
      }
    },
  };
}

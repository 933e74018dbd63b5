import type { Clock } from "../../lib/clock.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import { type Journal, createIds } from "../state/journal.ts";
import { createCategories } from "./categories.ts";
import { createOrders } from "./orders.ts";
import { createPayouts } from "./payouts.ts";
import { createShops } from "./shops.ts";

export type Marketplace = ReturnType<typeof createMarketplace>;

/** The data and actions of shop owners, beside the catalogue that search shows. */
export function createMarketplace(options: {
  journal: Journal;
  catalog: Catalog;
  clock: Clock;
  timezone: string;
}) {
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
    /** An id that was never used for a product. */
    newItemId(): number {
      for (;;) {
        const itemId = ids.next("item");
        if (!catalog.get(itemId)) return itemId;
      }
    },
  };
}

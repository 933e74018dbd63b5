import { must } from "../../lib/must.ts";
import type { Catalog } from "./catalog.ts";
import type { Generator } from "./generate.ts";
import type { SandboxItem } from "./item.ts";
import { withStockMoved, type Orders } from "../market/orders.ts";
import { createRandom, type Random } from "../../lib/random.ts";

const daySeconds = 86_400;
/** Changes per day of the median and of the busiest item: most products rarely change, a few change all the time. */
const meanChangesADay = 0.25;
const mostChangesADay = 6;
const newADay = 0.01;
const deletedADay = 0.006;
const shopsClosedADay = 0.0005;
const dispatchedADay = 1;
const silentShare = 0.15;
/** Below this size the catalogue only grows, so that a small sandbox never becomes empty. */
const fewestProducts = 20;

/**
 * Simulates shops and customers: orders, restocking, new prices, new and deleted products, sometimes a
 * closing shop.
 */
export function createLife(options: {
  catalog: Catalog;
  generator: Generator;
  orders: Orders;
  seed: number;
  /** Shops that only owners and customers change. */
  quietShopIds?: readonly string[];
}) {
  const { catalog, generator, orders, seed } = options;
  const random = createRandom(seed ^ 0x5eed);
  const isQuiet = (shopId: string) => options.quietShopIds?.includes(shopId) ?? false;

  function change(item: SandboxItem, modified: number): void {
    const silent = random.chance(silentShare);
    const kind = random.next();
    if (kind < 0.6 && buy(item, random, orders, silent)) return;
    if (isQuiet(item.shop_id)) return;
    const edited = kind < 0.68 ? restocked(item, random) : edit(item, kind, random);
    catalog.put(silent ? edited : { ...edited, modified });
  }

  return {
    /** Plays `seconds` of shop time. Edits set `modified` (unix seconds), silent ones do not. */
    pass(seconds: number, modified: number): void {
      const days = seconds / daySeconds;
      const ids = [...catalog.items()].map((item) => item.item_id);
      const happens = (ratePerDay: number) => random.poisson(ids.length * ratePerDay * days);
      // Thinning: candidates come at the highest rate, and each item accepts its share of them.
      for (let n = happens(mostChangesADay); n > 0; n -= 1) {
        const item = catalog.get(random.pick(ids));
        if (item && random.chance(changesADay(item.item_id, seed) / mostChangesADay)) {
          change(item, modified);
        }
      }
      for (let n = happens(newADay); n > 0; n -= 1) catalog.put(generator.another(modified));
      for (let n = happens(deletedADay); n > 0 && catalog.size > fewestProducts; n -= 1) {
        const item = catalog.get(random.pick(ids));
        if (item && !isQuiet(item.shop_id)) catalog.remove(item.item_id);
      }
      const shopIds = [...catalog.shopIds()].filter((shopId) => !isQuiet(shopId));
      for (let n = random.poisson(shopIds.length * shopsClosedADay * days); n > 0; n -= 1) {
        catalog.closeShop(random.pick(shopIds));
      }
      for (const order of orders.waiting()) {
        if (isQuiet(order.shop_id)) continue;
        if (random.chance(1 - Math.exp(-dispatchedADay * days))) orders.dispatch(order);
      }
    },
  };
}

/** An item's rate, fixed by its id. The fourth power of a uniform number has the tail of a Gamma of shape 1/4. */
export function changesADay(itemId: number, seed: number): number {
  const luck = createRandom(Math.imul(itemId, 0x9e3779b1) ^ seed).next();
  return Math.min(mostChangesADay, meanChangesADay * 5 * luck ** 4);
}

/** A customer buys one to three; false if there are none or the product is hidden. */
function buy(item: SandboxItem, random: Random, orders: Orders, silent: boolean): boolean {
  const variation = item.variations.length > 0 ? random.pick(item.variations) : undefined;
  const stock = variation?.variation_stock ?? item.stock;
  if (stock < 1) return false;
  const quantity = random.integer(1, Math.min(3, stock));
  const purchase = { itemId: item.item_id, variationId: variation?.variation_id, quantity };
  return orders.place(purchase, { silent }) !== null;
}

function restocked(item: SandboxItem, random: Random): SandboxItem {
  const more = random.integer(1, 20);
  const variation = item.variations.length > 0 ? random.pick(item.variations) : undefined;
  return withStockMoved(item, variation?.variation_id, more) ?? item;
}

function edit(item: SandboxItem, kind: number, random: Random): SandboxItem {
  if (kind < 0.93) return withPriceMoved(item, random);
  if (kind < 0.98)
    return {
      ...item,
      detail: `${item.detail}\n${random.pick(["再入荷しました。", "仕様を変更しました。", "送料無料"])}`,
    };
  return { ...item, visible: item.visible === 1 ? 0 : 1 };
}

function withPriceMoved(item: SandboxItem, random: Random): SandboxItem {
  const factor = must([0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25][random.integer(0, 6)], "a factor");
  const price = Math.max(10, Math.round((item.price * factor) / 10) * 10);
  return {
    ...item,
    price,
    proper_price: factor < 1 ? Math.max(item.price, item.proper_price ?? 0) : item.proper_price,
  };
}

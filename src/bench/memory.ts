import {
  BATCH,
  SHOP_READ,
  batchDueAt,
  itemDueAt,
  itemValue,
  priorYield,
  type ItemStats,
  type KeywordStats,
  type ShopStats,
} from "../crawl/scoring/scoring.ts";
import {
  lossRate,
  overallMean,
  shopMean,
  type Bumps,
  type Evidence,
  type Losses,
} from "../crawl/scoring/rate-estimate.ts";
import { createDueQueue, type DueQueue } from "./heap.ts";
import type { World } from "./world.ts";

export interface SimShop extends ShopStats, Losses {
  index: number;
  /** Sums over its products, kept up with every observation. */
  sum: Evidence;
  bumps: Bumps;
  items: SimItem[];
  /** Only where it has more items than are read at once. */
  byDue: DueQueue | null;
}

export interface SimItem extends ItemStats {
  shop: SimShop;
  keyword: SimKeyword | null;
  /** Its place in `shop.items`. */
  slot: number;
}

/** A sweep of the newest changes, or a look at the newest ids, that has not reached what is known. */
export interface Walk {
  order: "modified" | "newest";
  start: number;
  beganAt: number;
  top: number;
  value: number;
  pages: number;
}

export interface SimKeyword extends KeywordStats {
  /** Newest `modified` that the last sweep began with. */
  watermark: number;
  walk: Walk | null;
  /** Last look that was begun, whether or not it reached what is known. */
  triedAt: { modified: number; newest: number };
}

/** What production keeps in Postgres: statistics and due moments, read in small portions. */
export interface Memory {
  items: (SimItem | undefined)[];
  shops: SimShop[];
  keywords: SimKeyword[];
  shopsByDue: DueQueue;
  all: Losses & { sum: Evidence; bumps: Bumps };
  add(item: number, checkedAt: number, keyword: SimKeyword | null): SimItem;
  remove(item: number): void;
  readShop(shop: SimShop): readonly SimItem[];
}

export function createMemory(world: World): Memory {
  const total = world.shopOf.length;
  const all = {
    sum: { changes: 0, days: 0 },
    losses: 0,
    lossDays: 0,
    bumps: { bumped: 0, silent: 0 },
  };
  const overall = overallMean(all.sum);
  const shops = Array.from({ length: world.shops }, (_, index): SimShop => ({
    index,
    shopId: String(index),
    meanRate: shopMean({ changes: 0, days: 0 }, overall),
    lossRate: lossRate({ losses: 0, lossDays: 0 }, all),
    bumpShare: 2 / 3,
    sum: { changes: 0, days: 0 },
    losses: 0,
    lossDays: 0,
    bumps: { bumped: 0, silent: 0 },
    items: [],
    byDue: null,
  }));
  const keywords = Array.from({ length: world.keywords }, (_, keywordId): SimKeyword => ({
    keywordId,
    feedScannedAt: world.startsAt,
    scanIntervalDays: Infinity,
    newestAt: world.startsAt,
    newest: priorYield(0, 0),
    watermark: -Infinity,
    walk: null,
    triedAt: { modified: world.startsAt, newest: world.startsAt },
  }));
  const items: (SimItem | undefined)[] = Array.from({ length: total });
  const memory: Memory = {
    items,
    shops,
    keywords,
    shopsByDue: createDueQueue(Math.max(1, world.shops)),
    all,
    add(index, checkedAt, keyword) {
      const shop = shops[world.shopOf[index] ?? 0];
      if (!shop) throw new Error(`item ${index} belongs to no shop`);
      const item: SimItem = {
        itemId: index,
        weight: world.weight[index] ?? 1,
        changes: 0,
        days: 0,
        checkedAt,
        suspect: false,
        shop,
        keyword,
        slot: shop.items.length,
      };
      shop.items.push(item);
      items[index] = item;
      return item;
    },
    remove(index) {
      const item = items[index];
      const last = item?.shop.items.pop();
      if (!item || !last) return;
      if (last !== item) {
        item.shop.items[item.slot] = last;
        last.slot = item.slot;
      }
      item.shop.byDue?.remove(index);
      items[index] = undefined;
    },
    readShop(shop) {
      if (shop.items.length <= SHOP_READ) return shop.items;
      if (!shop.byDue) {
        shop.byDue = createDueQueue(total);
        for (const item of shop.items) shop.byDue.set(item.itemId, item.checkedAt);
      }
      return shop.byDue.earliest(SHOP_READ).flatMap((index) => items[index] ?? []);
    },
  };
  return memory;
}

/** How items are valued: by the planner's own index, or in comparison by another. */
export interface Index {
  worthOf(item: ItemStats, at: number, forecast?: boolean): number;
  /** The moment at which the item alone is worth `price`. */
  dueOf(item: ItemStats, price: number, now: number): number;
}

export const plannerIndex: Index = { worthOf: itemValue, dueOf: itemDueAt };

export const importanceTimesAge: Index = {
  worthOf: (item, at) => item.weight * Math.max(0, at - item.checkedAt),
  dueOf: (item, price) => item.checkedAt + price / item.weight,
};

/** What moments follow from. */
export interface Going {
  now: number;
  price: number;
  index: Index;
  /** No item is to wait longer for a look; Infinity: no floor. */
  maxAgeDays: number;
}

/** Writes the moments that follow from a price: of items of a large shop, and of the shop. */
export function rescheduleItems(touched: readonly SimItem[], at: Going): void {
  for (const item of touched) {
    if (!item.shop.byDue) continue;
    const dueAt = item.suspect
      ? at.now
      : Math.min(at.index.dueOf(item, at.price / BATCH, at.now), item.checkedAt + at.maxAgeDays);
    item.shop.byDue.set(item.itemId, dueAt);
  }
}

export function rescheduleShop(memory: Memory, shop: SimShop, at: Going): void {
  const items = memory.readShop(shop);
  const dueAt = batchDueAt(items, at.now, at.price, at.index.worthOf);
  const maxAgeAt = Math.min(...items.map((item) => item.checkedAt + at.maxAgeDays));
  memory.shopsByDue.set(shop.index, Math.min(dueAt, maxAgeAt));
}

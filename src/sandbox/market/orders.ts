import { randomBytes } from "node:crypto";
import { z } from "zod";
import { closedOrdersKept, orderStatuses, payments } from "../assumptions.ts";
import { ApiError } from "../api-errors.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import type { SandboxItem } from "../catalogue/item.ts";
import { type Journal, createRecords } from "../state/journal.ts";

const orderItem = z.object({
  item_id: z.int(),
  variation_id: z.int().nullable(),
  title: z.string(),
  variation: z.string().nullable(),
  price: z.int(),
  amount: z.int(),
});

const time = z.int().describe("unix seconds");

export const orderRecord = z.object({
  unique_key: z.string(),
  shop_id: z.string(),
  status: z.enum(orderStatuses),
  payment: z.enum(payments),
  ordered: time,
  /** null: not happened. */
  dispatched: time.nullable(),
  cancelled: time.nullable(),
  modified: time,
  total: z.int(),
  delivery_company_id: z.int().nullable(),
  tracking_number: z.string().nullable(),
  order_items: z.array(orderItem),
  /** null: not yet in a payout request. */
  saving_id: z.int().nullable(),
});

export type Order = z.infer<typeof orderRecord>;

export interface Purchase {
  itemId: number;
  /** Needed when the product has variations. */
  variationId?: number | undefined;
  quantity: number;
}

export type Orders = ReturnType<typeof createOrders>;

export function createOrders(journal: Journal, catalog: Catalog, nowSeconds: () => number) {
  const records = createRecords(journal, "order", orderRecord);
  const byShop = new Map<string, Map<string, Order>>();
  const open = new Map<string, Order>();
  for (const order of [...records.values()].toSorted((a, b) => a.ordered - b.ordered)) index(order);

  /** Open: the owner or the payout batch still has to process it. */
  function index(order: Order): void {
    const ofShop = byShop.get(order.shop_id) ?? new Map<string, Order>();
    byShop.set(order.shop_id, ofShop.set(order.unique_key, order));
    const isOpen = order.status !== "cancelled" && order.saving_id === null;
    if (isOpen) open.set(order.unique_key, order);
    else open.delete(order.unique_key);
  }

  function keep(order: Order): Order {
    records.put(order.unique_key, order);
    index(order);
    return order;
  }

  function forgetOldest(shopId: string): void {
    const ofShop = byShop.get(shopId) ?? new Map<string, Order>();
    if (ofShop.size <= closedOrdersKept) return;
    for (const key of ofShop.keys()) {
      if (ofShop.size <= closedOrdersKept) return;
      if (!open.has(key) && records.remove(key)) ofShop.delete(key);
    }
  }

  function change(order: Order, set: Partial<Order>): Order {
    if (order.status !== "ordered") {
      throw new ApiError("bad_params", "この注文のステータスは変更できません。");
    }
    return keep({ ...order, ...set, modified: nowSeconds() });
  }

  catalog.watch({
    shopClosed(shopId) {
      for (const key of byShop.get(shopId)?.keys() ?? []) {
        records.remove(key);
        open.delete(key);
      }
      byShop.delete(shopId);
    },
  });

  return {
    /**
     * Lowers the stock and raises `order_count`; null if this cannot be bought now. A silent order does
     * not change `modified`.
     */
    place(
      { itemId, variationId, quantity }: Purchase,
      { silent = false }: { silent?: boolean } = {},
    ): Order | null {
      const item = catalog.get(itemId);
      if (!item || item.visible !== 1) return null;
      const moved = withStockMoved(item, variationId, -quantity);
      if (!moved) return null;
      const now = nowSeconds();
      catalog.put({
        ...moved,
        order_count: item.order_count + 1,
        modified: silent ? item.modified : now,
      });
      forgetOldest(item.shop_id);
      return keep(toOrder(item, { itemId, variationId, quantity }, now));
    },
    /** Newest first. */
    ofShop: (shopId: string) => [...(byShop.get(shopId)?.values() ?? [])].toReversed(),
    /** Throws `not_found`. */
    get(shopId: string, uniqueKey: string): Order {
      const order = records.get(uniqueKey);
      if (order?.shop_id !== shopId) throw new ApiError("not_found");
      return order;
    },
    dispatch: (
      order: Order,
      parcel: Pick<Order, "delivery_company_id" | "tracking_number"> | null = null,
    ) => change(order, { ...parcel, status: "dispatched", dispatched: nowSeconds() }),
    /** Restores the stock if the product still exists. */
    cancel(order: Order): Order {
      const cancelled = change(order, { status: "cancelled", cancelled: nowSeconds() });
      for (const { item_id, variation_id, amount } of order.order_items) {
        const item = catalog.get(item_id);
        const moved = item && withStockMoved(item, variation_id ?? undefined, amount);
        if (moved) catalog.put({ ...moved, modified: nowSeconds() });
      }
      return cancelled;
    },
    markPaidOut: (order: Order, savingId: number) => void keep({ ...order, saving_id: savingId }),
    /** Orders neither dispatched nor cancelled. */
    waiting: () => [...open.values()].filter((order) => order.status === "ordered"),
    /** Dispatched orders in no payout request. */
    unpaid: () => [...open.values()].filter((order) => order.status === "dispatched"),
  };
}

function toOrder(
  item: SandboxItem,
  { itemId, variationId, quantity }: Purchase,
  now: number,
): Order {
  const variation = item.variations.find((v) => v.variation_id === variationId);
  return {
    unique_key: randomBytes(8).toString("hex").toUpperCase(),
    shop_id: item.shop_id,
    status: "ordered",
    payment: "creditcard",
    ordered: now,
    dispatched: null,
    cancelled: null,
    modified: now,
    total: item.price * quantity,
    delivery_company_id: null,
    tracking_number: null,
    order_items: [
      {
        item_id: itemId,
        variation_id: variation?.variation_id ?? null,
        title: item.title,
        variation: variation?.variation ?? null,
        price: item.price,
        amount: quantity,
      },
    ],
    saving_id: null,
  };
}

/** The product with `amount` more (or less) stock; null without enough stock or such a variation. */
export function withStockMoved(
  item: SandboxItem,
  variationId: number | undefined,
  amount: number,
): SandboxItem | null {
  if (item.variations.length === 0) {
    const stock = item.stock + amount;
    return variationId !== undefined || stock < 0 ? null : { ...item, stock };
  }
  const chosen = item.variations.find((v) => v.variation_id === variationId);
  if (!chosen || chosen.variation_stock + amount < 0) return null;
  const variations = item.variations.map((v) =>
    v === chosen ? { ...v, variation_stock: v.variation_stock + amount } : v,
  );
  return { ...item, variations, stock: item.stock + amount };
}

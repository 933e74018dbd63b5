import { z } from "zod";
import { listLimits, orderMoves, orderStatuses, payments, savingStatuses } from "../assumptions.ts";
import { toSearchBody, type SandboxItem } from "../item.ts";
import { wireSearchItem } from "../../storefront/wire.ts";
import type { Category } from "../market/categories.ts";
import { type Order, orderItem } from "../market/orders.ts";
import type { Saving } from "../market/payouts.ts";
import { assumed, whole } from "./parameters.ts";

/** The fields of section 2.1, without those of the shop and the categories, which have operations of their own. */
export const itemBody = wireSearchItem
  .omit({ shop_id: true, shop_name: true, shop_url: true, categories: true })
  .describe("Product; image fields img{N}_{size} as in section 2.1");

export function toItemBody(item: SandboxItem) {
  const {
    shop_id: _,
    shop_name: __,
    shop_url: ___,
    categories: ____,
    ...body
  } = toSearchBody(item);
  return body;
}

export const categoryBody = z.object({
  category_id: z.int(),
  name: z.string(),
  list_order: z.int(),
});

export function toCategoryBody({ category_id, name, list_order }: Category) {
  return { category_id, name, list_order };
}

export const itemCategoryBody = z.object({
  item_id: z.int(),
  category_id: z.int(),
  name: z.string(),
});

const time = z.int().describe("unix seconds");

const orderFacts = {
  unique_key: z.string(),
  status: z.enum(orderStatuses),
  payment: z.enum(payments),
  ordered: time,
  dispatched: time.nullable(),
  cancelled: time.nullable(),
  modified: time,
  total: z.int(),
};

export const orderBody = z.object(orderFacts);
export const orderDetailBody = z.object({
  ...orderFacts,
  delivery_company_id: z.int().nullable(),
  tracking_number: z.string().nullable(),
  order_items: z.array(orderItem),
});
export const orderMove = z.enum(orderMoves);

export function toOrderDetailBody({ shop_id: _, saving_id: __, ...body }: Order) {
  return body;
}

export function toOrderBody(order: Order) {
  const {
    order_items: _,
    delivery_company_id: __,
    tracking_number: ___,
    ...body
  } = toOrderDetailBody(order);
  return body;
}

export const savingBody = z.object({
  saving_id: z.int(),
  status: z.enum(savingStatuses),
  drawings: z.int(),
  transfer_charge: z.int(),
  order_count: z.int(),
  created: time,
  transferred: time.nullable(),
});

export function toSavingBody({ shop_id: _, ...body }: Saving) {
  return body;
}

/** Parameters that every list takes. */
export const window = {
  limit: assumed(
    whole(1, listLimits.most).optional(),
    `how many; ${listLimits.default} unless told`,
  ),
  offset: assumed(whole(0, 1_000_000_000).optional(), "how many to leave out first; 0 unless told"),
};

export function cutWindow<T>(
  rows: readonly T[],
  {
    limit = listLimits.default,
    offset = 0,
  }: { limit?: number | undefined; offset?: number | undefined },
): T[] {
  return rows.slice(offset, offset + limit);
}

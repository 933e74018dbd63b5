import { z } from "zod";
import { listLimits } from "../assumptions.ts";
import { toSearchBody, type SandboxItem } from "../item.ts";
import { wireSearchItem } from "../../storefront/wire.ts";
import { categoryRecord } from "../market/categories.ts";
import { orderRecord } from "../market/orders.ts";
import { savingRecord } from "../market/payouts.ts";
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

/** The records of the shop as its owner sees them; `parse` leaves out the other fields. */
export const categoryBody = categoryRecord.omit({ shop_id: true });
export const savingBody = savingRecord.omit({ shop_id: true });
export const orderDetailBody = orderRecord.omit({ shop_id: true, saving_id: true });
export const orderBody = orderDetailBody.omit({
  order_items: true,
  delivery_company_id: true,
  tracking_number: true,
});

export const itemCategoryBody = z.object({
  item_id: z.int(),
  category_id: z.int(),
  name: z.string(),
});

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

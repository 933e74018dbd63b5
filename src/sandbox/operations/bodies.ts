import { z } from "zod";
import { ApiError } from "../api-errors.ts";
import { listLimits } from "../assumptions.ts";
import { imageFields, toSearchBody, type SandboxItem } from "../catalogue/item.ts";
import { wireSearchItem } from "../../storefront/wire.ts";
import type { Call } from "./operation.ts";
import { assumed, whole, type Input } from "./parameters.ts";

/** The fields of section 2.1, without those of the shop and the categories, which have operations of their own. */
export const itemBody = wireSearchItem
  .omit({ shop_id: true, shop_name: true, shop_url: true, categories: true })
  .extend(imageFields)
  .describe("Product as in section 2.1");

export const oneItem = z.object({ item: itemBody });

/** The caller's product; throws `not_found`, also for another shop's. */
export function ownItem({ market, shop }: Call, itemId: number): SandboxItem {
  const item = market.catalog.get(itemId);
  if (item?.shop_id !== shop.shop_id) throw new ApiError("not_found");
  return item;
}

/** Changes some fields and moves `modified`. */
export function revise(
  { market }: Call,
  item: SandboxItem,
  set: Partial<SandboxItem>,
): SandboxItem {
  const revised = { ...item, ...set, modified: market.nowSeconds() };
  market.catalog.put(revised);
  return revised;
}

/** `oneItem` of this product. */
export const showItem = (item: SandboxItem) => ({ item: toSearchBody(item) });

/** The answer to a deletion. */
export const done = z.object({ result: z.literal(true) });

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
  { limit = listLimits.default, offset = 0 }: Input<typeof window>,
): T[] {
  return rows.slice(offset, offset + limit);
}

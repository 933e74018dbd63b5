import { ApiError } from "../api-errors.ts";
import type { SandboxItem } from "../item.ts";
import type { Call } from "./operation.ts";

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

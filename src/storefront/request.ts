import { maxPageSize, maxRefreshIds, type SortTerm } from "./wire.ts";

/** Section 4.1. The upstream has defaults for omitted fields. */
export interface SearchParams {
  /** Keywords separated by spaces. */
  q: string;
  sort?: readonly SortTerm[];
  start?: number;
  /** 1 to 50. */
  size?: number;
  shopId?: string;
}

/** Section 4.2: at most 50 ids of one shop. */
export interface RefreshParams {
  shopId: string;
  itemIds: readonly number[];
}

export function toSearchQuery(params: SearchParams): Record<string, string> {
  const { q, sort, start, size, shopId } = params;
  if (q.trim() === "") throw new RangeError("q must contain a keyword");
  if (start !== undefined && !(Number.isSafeInteger(start) && start >= 0)) {
    throw new RangeError("start must be a whole number from 0");
  }
  if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= maxPageSize)) {
    throw new RangeError(`size must be a whole number from 1 to ${maxPageSize}`);
  }
  return {
    q,
    ...(sort && { sort: sort.map((term) => `${term.column} ${term.direction}`).join(",") }),
    ...(start !== undefined && { start: String(start) }),
    ...(size !== undefined && { size: String(size) }),
    ...(shopId !== undefined && { shop_id: shopId }),
  };
}

export function toRefreshQuery({ shopId, itemIds }: RefreshParams): Record<string, string> {
  if (shopId === "") throw new RangeError("a refresh needs a shop");
  if (itemIds.length < 1 || itemIds.length > maxRefreshIds) {
    throw new RangeError(`a refresh asks for 1 to ${maxRefreshIds} ids, not ${itemIds.length}`);
  }
  if (!itemIds.every((id) => Number.isSafeInteger(id) && id >= 1)) {
    throw new RangeError("product ids are whole numbers from 1");
  }
  return { item_id: itemIds.join(","), shop_id: shopId };
}

import { maxPageSize, maxRefreshIds } from "../../storefront/wire.ts";
import type { ApiErrorCode } from "../api-errors.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import { toRefreshBody, toSearchBody } from "../catalogue/item.ts";
import {
  parseFields,
  parseKeywords,
  parseSort,
  recommendedSort,
  searchableFields,
  type SearchIndex,
} from "./search.ts";

export type Params = Record<string, string>;
export type Answer =
  | { ok: true; envelope: { found?: number; start?: number }; items: Record<string, unknown>[] }
  | { ok: false; error: ApiErrorCode };

const DEFAULT_SIZE = 10;

/** Section 4.1. */
export function answerSearch(catalog: SearchIndex, params: Params): Answer {
  const refused = { ok: false, error: "search_error" } as const;
  const sort = params["sort"] === undefined ? recommendedSort : parseSort(params["sort"]);
  const fields = params["fields"] === undefined ? searchableFields : parseFields(params["fields"]);
  const start = toInteger(params["start"] ?? "0");
  const size = toInteger(params["size"] ?? String(DEFAULT_SIZE));
  const q = params["q"] ?? "";
  if (parseKeywords(q).length === 0 || !sort || !fields) return refused;
  if (start === null || size === null || size < 1 || size > maxPageSize) return refused;
  const found = catalog.find({ q, sort, fields, shopId: params["shop_id"] ?? null });
  const items = found.slice(start, start + size).map(toSearchBody);
  return { ok: true, envelope: { found: found.length, start }, items };
}

/**
 * Section 4.2. Returns hidden products: the specification only says that search never finds them. A
 * refreshed product (2.3) has no `visible`, so their absence would look like a deletion.
 */
export function answerRefresh(catalog: Catalog, params: Params): Answer {
  const shopId = params["shop_id"] ?? "";
  const ids = askedIds(params);
  if (shopId === "" || ids.length === 0 || ids.length > maxRefreshIds || ids.includes(null)) {
    return { ok: false, error: "bad_params" };
  }
  const items = [...new Set(ids)].flatMap((id) => {
    const item = id === null ? undefined : catalog.get(id);
    return item?.shop_id === shopId ? [toRefreshBody(item)] : [];
  });
  return { ok: true, envelope: {}, items };
}

/** The ids of a refresh; null for each part that is none. */
export function askedIds(params: Params): (number | null)[] {
  const text = params["item_id"] ?? "";
  return text === "" ? [] : text.split(",").map((part) => toInteger(part.trim()));
}

function toInteger(text: string): number | null {
  return /^\d{1,16}$/.test(text) ? Number(text) : null;
}

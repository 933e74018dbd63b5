import {
  maxPageSize,
  maxRefreshIds,
  sortColumns,
  sortDirections,
  type SortTerm,
} from "../../storefront/wire.ts";
import { ApiError } from "../api-errors.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import { toRefreshBody, toSearchBody, type SandboxItem } from "../catalogue/item.ts";

/** The specification does not show all searchable columns; these are its default. */
export const searchableFields = ["shop_name", "title", "detail", "categories"] as const;
export type SearchableField = (typeof searchableFields)[number];

/** The service does not define its recommended order; shops usually show best sellers first. */
export const recommendedSort: readonly SortTerm[] = [{ column: "order_count", direction: "desc" }];

/** Reads `order_count desc,item_id asc`; null for anything else. */
export function parseSort(text: string): SortTerm[] | null {
  const keys = text.split(",").map((term) => {
    const [columnText, directionText, ...rest] = term.trim().split(/\s+/);
    const column = sortColumns.find((name) => name === columnText);
    const direction = sortDirections.find((name) => name === directionText);
    return column && direction && rest.length === 0 ? { column, direction } : null;
  });
  return keys.every((key) => key !== null) ? keys : null;
}

/** Reads a comma-separated list of columns; null when one cannot be searched. */
export function parseFields(text: string): SearchableField[] | null {
  const fields = text
    .split(",")
    .map((name) => searchableFields.find((field) => field === name.trim()));
  return fields.every((field) => field !== undefined) ? fields : null;
}

export function normalize(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** The keywords of a query, normalised; `\s` includes the full-width space. */
export function parseKeywords(q: string): string[] {
  return normalize(q)
    .split(/\s+/)
    .filter((keyword) => keyword !== "");
}

/** Ties are broken by id, so that pages neither repeat nor skip. */
function compareBy(keys: readonly SortTerm[]): (a: SandboxItem, b: SandboxItem) => number {
  return (a, b) => {
    for (const { column, direction } of keys) {
      const difference = a[column] - b[column];
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return a.item_id - b.item_id;
  };
}

/** The searchable text of an item. Line breaks prevent matches across two fields. */
export function toHaystack(item: SandboxItem, fields: readonly SearchableField[]): string {
  return normalize(fields.map((field) => [item[field]].flat().join("\n")).join("\n"));
}

interface Query {
  q: string;
  fields: readonly SearchableField[];
  sort: readonly SortTerm[];
  shopId: string | null;
}

export type SearchIndex = ReturnType<typeof createSearchIndex>;

const maxResultsKept = 500;

/** Caches normalised texts and the results of recent queries, until the catalogue changes. */
export function createSearchIndex(catalog: Catalog) {
  const haystacks = new Map<string, WeakMap<SandboxItem, string>>();
  const results = new Map<string, readonly SandboxItem[]>();
  let resultsVersion = catalog.version;

  function search({ q, fields, sort, shopId }: Query): SandboxItem[] {
    const keywords = parseKeywords(q);
    const fieldsKey = fields.join();
    // An edited item is a new object, so a text cached by object is never stale.
    const texts = haystacks.get(fieldsKey) ?? new WeakMap<SandboxItem, string>();
    haystacks.set(fieldsKey, texts);
    const found: SandboxItem[] = [];
    for (const item of shopId === null ? catalog.items() : catalog.ofShop(shopId)) {
      if (item.visible !== 1) continue;
      let text = texts.get(item);
      if (text === undefined) {
        text = toHaystack(item, fields);
        texts.set(item, text);
      }
      if (keywords.every((keyword) => text.includes(keyword))) found.push(item);
    }
    return found.sort(compareBy(sort));
  }

  return {
    /** The visible items that contain all keywords, in order. */
    find(query: Query): readonly SandboxItem[] {
      if (resultsVersion !== catalog.version || results.size >= maxResultsKept) {
        results.clear();
        resultsVersion = catalog.version;
      }
      const key = JSON.stringify([query.q, query.fields, query.sort, query.shopId]);
      let found = results.get(key);
      if (!found) {
        found = search(query);
        results.set(key, found);
      }
      return found;
    },
  };
}

export type Params = Record<string, string>;
export interface Answer {
  found?: number;
  start?: number;
  items: Record<string, unknown>[];
}

const defaultSize = 10;

/** Section 4.1; throws `search_error`. */
export function answerSearch(catalog: SearchIndex, params: Params): Answer {
  const sort = params["sort"] === undefined ? recommendedSort : parseSort(params["sort"]);
  const fields = params["fields"] === undefined ? searchableFields : parseFields(params["fields"]);
  const start = toInteger(params["start"] ?? "0");
  const size = toInteger(params["size"] ?? String(defaultSize));
  const q = params["q"] ?? "";
  const isWindow = start !== null && size !== null && size >= 1 && size <= maxPageSize;
  if (parseKeywords(q).length === 0 || !sort || !fields || !isWindow) {
    throw new ApiError("search_error");
  }
  const found = catalog.find({ q, sort, fields, shopId: params["shop_id"] ?? null });
  const items = found.slice(start, start + size).map(toSearchBody);
  return { found: found.length, start, items };
}

/**
 * Section 4.2. Returns hidden products: the specification only says that search never finds them. A
 * refreshed product (2.3) has no `visible`, so their absence would look like a deletion. Throws `bad_params`.
 */
export function answerRefresh(catalog: Catalog, params: Params): Answer {
  const shopId = params["shop_id"] ?? "";
  const ids = askedIds(params);
  if (shopId === "" || ids.length === 0 || ids.length > maxRefreshIds || ids.includes(null)) {
    throw new ApiError("bad_params");
  }
  const items = [...new Set(ids)].flatMap((id) => {
    const item = id === null ? undefined : catalog.get(id);
    return item?.shop_id === shopId ? [toRefreshBody(item)] : [];
  });
  return { items };
}

/** The ids of a refresh; null for each part that is none. */
export function askedIds(params: Params): (number | null)[] {
  const text = params["item_id"] ?? "";
  return text === "" ? [] : text.split(",").map((part) => toInteger(part.trim()));
}

function toInteger(text: string): number | null {
  return /^\d{1,16}$/.test(text) ? Number(text) : null;
}

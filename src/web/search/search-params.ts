import { maxDepth, productQuery, toSearch } from "../../api/products/search/product-query.ts";
import { findPrefix, repeatedParams, singleParams } from "../shared/search-address.ts";
import { plainPrice } from "../shared/format.ts";
import { productFacets, type ProductQuery, type ProductSort } from "../../search/query/query.ts";

/** The search of an address. */
export interface SearchParams {
  query: ProductQuery;
  /** The valid parameters as given, for building other addresses. */
  params: URLSearchParams;
  /** Names of invalid parameters, which were left out. */
  unread: string[];
  /** What was typed there. */
  typed: Readonly<Record<string, string>>;
  /** What is typed into the search fields of filters. */
  finds: Partial<Record<SearchedFilter, string>>;
}

/** Filters with so many values that a field searches them. */
export const searchedFilters = ["category", "shop_id", "size"] as const;
export type SearchedFilter = (typeof searchedFilters)[number];

/** The parameter that carries what is typed there. Links leave it out. */
export const findParam = (name: SearchedFilter) => `${findPrefix}${name}`;

const maxFindChars = 200;
const perPage = 24;
/** In these orders sold-out products come last: people who compare prices want to buy. */
const ordersOfPrice = new Set<ProductSort>([
  "price:asc",
  "price:desc",
  "unit_price:asc",
  "discount:desc",
]);
const prices = new Set(["price_min", "price_max"]);

/** Reads the parameters of `GET /v1/products`. Ignores empty ones, which forms send, and unknown ones. */
export function readParams(given: URLSearchParams): SearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of given) {
    if (value === "" || !(singleParams.has(name) || repeatedParams.has(name))) continue;
    if (singleParams.has(name)) params.set(name, prices.has(name) ? plainPrice(value) : value);
    else if (!params.getAll(name).includes(value)) params.append(name, value);
  }
  const unread: string[] = [];
  for (;;) {
    const parsed = productQuery.safeParse(toInput(params));
    if (parsed.success) {
      const query = toSearch(parsed.data);
      return {
        query: {
          ...query,
          facets: [...productFacets],
          ...(query.sort && ordersOfPrice.has(query.sort) ? { availableFirst: true } : {}),
        },
        params,
        unread,
        typed: Object.fromEntries(unread.map((name) => [name, given.get(name) ?? ""])),
        finds: readFinds(given),
      };
    }
    const faulty = parsed.error.issues.map((issue) => String(issue.path[0]));
    // Each round removes at least one parameter, so the loop ends.
    for (const name of faulty.length > 0 ? faulty : [...params.keys()]) params.delete(name);
    unread.push(...faulty);
  }
}

function readFinds(given: URLSearchParams): SearchParams["finds"] {
  return Object.fromEntries(
    searchedFilters.flatMap((name) => {
      const text = (given.get(findParam(name)) ?? "").trim();
      return text === "" ? [] : [[name, Array.from(text).slice(0, maxFindChars).join("")]];
    }),
  );
}

function toInput(params: URLSearchParams): Record<string, string | string[]> {
  const names = new Set(params.keys());
  return {
    per_page: String(perPage),
    ...Object.fromEntries(
      [...names].map((name) => [
        name,
        repeatedParams.has(name) ? params.getAll(name) : (params.get(name) ?? ""),
      ]),
    ),
  };
}

/** The last page that can be requested. */
export function lastPage(found: number, query: ProductQuery): number {
  return Math.max(
    1,
    Math.min(Math.ceil(found / query.perPage), Math.floor(maxDepth / query.perPage)),
  );
}

type Change = Record<string, string | null>;

/** The search without any restriction; `/` alone is the home page. */
export const everything = "/?q=";

/** The address of the same search with some parameters set, or removed with null; page 1. */
export function hrefWith(params: URLSearchParams, change: Change): string {
  const changed = new URLSearchParams(params);
  changed.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  const text = changed.toString();
  return text === "" ? everything : `/?${text}`;
}

/** The address without one value of a repeated parameter. */
export function hrefWithout(params: URLSearchParams, name: string, value: string): string {
  const changed = new URLSearchParams(params);
  changed.delete(name, value);
  return hrefWith(changed, {});
}

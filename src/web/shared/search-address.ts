/** Parameters of the search page that are those of `GET /v1/products`. */
export const singleParams: ReadonlySet<string> = new Set([
  "q",
  "match",
  "price_min",
  "price_max",
  "in_stock",
  "on_sale",
  "max_age_s",
  "sort",
  "page",
  "per_page",
  "group",
]);
export const repeatedParams: ReadonlySet<string> = new Set([
  "shop_id",
  "exclude_shop_id",
  "category",
  "gtin",
  "condition",
  "colour",
  "size",
]);
/** Of those that carry what is typed into the search fields of filters. */
export const findPrefix = "find_";

/** Whether an address asks for a search, also for one of everything. Links of mails and advertisements add names of their own. */
export function asksForSearch(given: URLSearchParams): boolean {
  return [...given.keys()].some(
    (name) => singleParams.has(name) || repeatedParams.has(name) || name.startsWith(findPrefix),
  );
}

/** The address of a search by one parameter. */
export const searchFor = (name: string, value: string) =>
  `/?${new URLSearchParams({ [name]: value }).toString()}`;

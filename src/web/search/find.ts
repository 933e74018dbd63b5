import { toFoundProducts, type FoundProduct } from "../../api/products/found-products.ts";
import { isWordsAlone } from "../../api/products/products.ts";
import { readShopNames } from "../../catalog/shops.ts";
import type { FacetValue, ProductHits } from "../../search/query/query.ts";
import type { PageDeps } from "../shared/page-deps.ts";
import { createFindValues } from "./find-values.ts";
import { searchedFilters, type SearchedFilter, type SearchParams } from "./search-params.ts";
import { createSimilarOnes } from "./similar-ones.ts";

export interface Found {
  hits: ProductHits;
  items: FoundProduct[];
  /** Other products, where few were found. */
  similar: FoundProduct[];
  /** Values of the filters whose search fields are filled in. */
  begun: Partial<Record<SearchedFilter, FacetValue[]>>;
  /** Names of the shops in the facets and in the query, by id. */
  shopNames: ReadonlyMap<string, string>;
  now: Date;
}

type Deps = Pick<
  PageDeps,
  "db" | "clock" | "search" | "facetValues" | "readProducts" | "demand" | "logger"
>;

/** Searches like the API, with the result for a page; `visitor` as in `Demand`. */
export function createFind(deps: Deps): (search: SearchParams, visitor: string) => Promise<Found> {
  const { db, clock, demand } = deps;
  const readSimilarOnes = createSimilarOnes(deps);
  const findValues = createFindValues(deps);
  return async (search, visitor) => {
    const { query } = search;
    const filled = searchedFilters.filter((name) => search.finds[name] !== undefined);
    const [hits, ...values] = await Promise.all([
      deps.search(query),
      ...filled.map((name) => findValues(search, name)),
    ]);
    const begun: Found["begun"] = Object.fromEntries(filled.map((name, i) => [name, values[i]]));
    const shopIds = [
      ...[...(hits.facets.shop_id ?? []), ...(begun.shop_id ?? [])].map(({ value }) => value),
      ...(query.shopIds ?? []),
      ...(query.excludeShopIds ?? []),
    ];
    const [{ records }, shopNames] = await Promise.all([
      deps.readProducts(hits.ids),
      readShopNames(db, shopIds),
    ]);
    const now = clock.now();
    const { items } = toFoundProducts(hits, records, query, now);
    const similar = await readSimilarOnes(query, hits, items);
    demand.shown(
      [...items, ...similar].map(({ record }) => record.itemId),
      (query.page - 1) * query.perPage,
    );
    if (hits.found === 0 && isWordsAlone(query)) demand.foundNothing(query.q ?? "", visitor);
    return { hits, items, similar, begun, shopNames, now };
  };
}

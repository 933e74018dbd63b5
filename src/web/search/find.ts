import { toFoundProducts, type FoundProduct } from "../../api/products/found-products.ts";
import { isWordsAlone } from "../../api/products/products.ts";
import { readShopNames } from "../../catalog/shops.ts";
import type { ProductHits, ProductQuery } from "../../search/query/query.ts";
import type { PageDeps } from "../shared/page-deps.ts";
import { createSimilarOnes } from "./similar-ones.ts";

export interface Found {
  hits: ProductHits;
  items: FoundProduct[];
  /** Other products, where few were found. */
  similar: FoundProduct[];
  /** Names of the shops in the facets and in the query, by id. */
  shopNames: ReadonlyMap<string, string>;
  now: Date;
}

type Deps = Pick<PageDeps, "db" | "clock" | "search" | "readProducts" | "demand" | "logger">;

/** Searches like the API, with the result for a page; `visitor` as in `Demand`. */
export function createFind(deps: Deps): (query: ProductQuery, visitor: string) => Promise<Found> {
  const { db, clock, demand } = deps;
  const readSimilarOnes = createSimilarOnes(deps);
  return async (query, visitor) => {
    const hits = await deps.search(query);
    const shopIds = [
      ...(hits.facets.shop_id ?? []).map(({ value }) => value),
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
    return { hits, items, similar, shopNames, now };
  };
}

import { toFoundProducts, type FoundProduct } from "../../api/products/found-products.ts";
import { isWordsAlone } from "../../api/products/products.ts";
import { createProductReader } from "../../catalog/product-reader.ts";
import { createCatalogueState } from "../../catalog/state.ts";
import { readShopNames } from "../../catalog/shops.ts";
import type { ProductHits, ProductQuery } from "../../search/query/query.ts";
import type { PageDeps } from "../shared/page-deps.ts";

export interface Found {
  hits: ProductHits;
  items: FoundProduct[];
  /** Of the shops among the facets and in the query, by id. */
  shopNames: ReadonlyMap<string, string>;
  now: Date;
}

type Deps = Pick<PageDeps, "db" | "cache" | "clock" | "search" | "demand">;

/** What the API would answer, in the shape that pages draw. */
export function createFind(deps: Deps): (query: ProductQuery) => Promise<Found> {
  const { db, cache, clock, demand } = deps;
  const readProducts = createProductReader(db, cache);
  const stateNow = createCatalogueState(db);
  const namesOf = createShopNames(deps);
  return async (query) => {
    const hits = await deps.search(query);
    const shopIds = [
      ...(hits.facets.shop_id ?? []).map(({ value }) => value),
      ...(query.shopIds ?? []),
      ...(query.excludeShopIds ?? []),
    ];
    const [records, shopNames] = await Promise.all([
      readProducts(hits.ids, await stateNow()),
      namesOf(shopIds),
    ]);
    const now = clock.now();
    const { items } = toFoundProducts(hits, records, query, now);
    demand.shown(
      items.map(({ record }) => record.itemId),
      (query.page - 1) * query.perPage,
    );
    if (hits.found === 0 && isWordsAlone(query)) demand.vain(query.q ?? "");
    return { hits, items, shopNames, now };
  };
}

const trustMs = 300_000;

/** Names change rarely: each is read once in five minutes. */
function createShopNames({ db, cache }: Deps) {
  const known = cache.open<{ name: string }>("shop name", trustMs);
  return async (shopIds: readonly string[]): Promise<Map<string, string>> => {
    const names = new Map<string, string>();
    for (const id of shopIds) {
      const entry = known.get(id);
      if (entry) names.set(id, entry.name);
    }
    const missing = shopIds.filter((id) => !names.has(id));
    const read = missing.length > 0 ? await readShopNames(db, missing) : new Map<string, string>();
    for (const id of missing) {
      const name = read.get(id);
      if (name !== undefined) known.set(id, { name });
      names.set(id, name ?? id);
    }
    return names;
  };
}

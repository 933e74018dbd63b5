import { livingOf } from "../../catalog/products.ts";
import { readShopNames } from "../../catalog/shops.ts";
import { toFoundProducts, type FoundProduct } from "../../search/query/product-search.ts";
import { isWordsAlone, type ProductHits, type ProductQuery } from "../../search/query/query.ts";
import type { Suggestion } from "../../search/suggest/suggest.ts";
import type { PageDeps } from "../shared/page/page.ts";
import { createFindValues, type Counted } from "./filters.tsx";
import type { Card } from "./product-card.tsx";
import { searchedFilters, type SearchParams } from "./search-params.ts";

/** What the search page shows. */
export interface Found extends Counted {
  hits: ProductHits;
  items: FoundProduct[];
  /** Other products, where few were found. */
  similar: Card[];
}

/** `visitor` as in `Demand`. */
export function createFind(
  deps: PageDeps,
): (search: SearchParams, visitor: string) => Promise<Found> {
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
    const { items } = toFoundProducts(hits, records, query, clock.now());
    const similar = await readSimilarOnes(query, hits, items);
    const shown = [...items, ...similar].map(({ record }) => record.itemId);
    demand.shown(shown, (query.page - 1) * query.perPage);
    if (hits.found === 0 && isWordsAlone(query)) demand.foundNothing(query.q ?? "", visitor);
    return { hits, items, similar, begun, shopNames };
  };
}

/** Fewer found products leave room for others. */
const few = 5;
const mostSimilar = 8;

/**
 * What visitors look at most in the category of the first product of a search that found few: in stock,
 * and not among those found. One more search of one category; if it fails, there are none.
 */
function createSimilarOnes(deps: Pick<PageDeps, "search" | "readProducts" | "logger">) {
  async function readCategory(category: string, items: readonly Card[]): Promise<Card[]> {
    const found = new Set(items.map(({ record }) => record.itemId));
    const { ids } = await deps.search({
      categories: [category],
      inStock: true,
      sort: "popularity:desc",
      page: 1,
      perPage: mostSimilar + found.size,
    });
    const others = ids.filter((id) => !found.has(id)).slice(0, mostSimilar);
    const { records } = await deps.readProducts(others);
    return livingOf(others, records).map((record) => ({ record, missingWords: [] }));
  }

  return async (query: ProductQuery, hits: ProductHits, items: readonly Card[]) => {
    const category = items[0]?.record.categories[0];
    if (query.page > 1 || hits.found >= few || items.length >= few || category === undefined) {
      return [];
    }
    try {
      return await readCategory(category, items);
    } catch (error) {
      deps.logger.warn({ err: error }, "similar products are left out");
      return [];
    }
  };
}

const maxSuggestions = 5;

/** Completions of the typed text, which is shortened until there are some. */
export async function suggestFor({ suggest }: PageDeps, q = ""): Promise<Suggestion[]> {
  const typed = Array.from(q.trim());
  for (const length of [typed.length, Math.ceil(typed.length / 2), 1]) {
    if (length === 0) break;
    const { items } = await suggest(typed.slice(0, length).join(""), maxSuggestions);
    if (items.length > 0) return items;
  }
  return [];
}

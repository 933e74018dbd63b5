import { livingOf } from "../../catalog/products.ts";
import type { ProductHits, ProductQuery } from "../../search/query/query.ts";
import type { PageDeps } from "../shared/page/page.ts";
import type { Card } from "./product-card.tsx";

/** Fewer found products leave room for others. */
const few = 5;
const shown = 8;

type Deps = Pick<PageDeps, "search" | "readProducts" | "logger">;

/**
 * What visitors look at most in the category of the first product of a search that found few: in stock,
 * and not among those found. One more search of one category; if it fails, there are none.
 */
export function createSimilarOnes(deps: Deps) {
  async function readCategory(category: string, items: readonly Card[]): Promise<Card[]> {
    const found = new Set(items.map(({ record }) => record.itemId));
    const { ids } = await deps.search({
      categories: [category],
      inStock: true,
      sort: "popularity:desc",
      page: 1,
      perPage: shown + found.size,
    });
    const others = ids.filter((id) => !found.has(id)).slice(0, shown);
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

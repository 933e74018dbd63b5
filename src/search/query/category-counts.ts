import { readCategories, type CategoryRecord } from "../../catalog/categories.ts";
import type { Db } from "../../db/open.ts";
import { EngineUnavailable } from "../engine/engine.ts";
import { fromFacetKey, isWholeFacetKey } from "../index/facet-key.ts";
import type { SearchClient } from "./search-client.ts";
import { maxValuesPerFacet } from "../index/settings.ts";

/**
 * Every category with its number of products, most first. The index has these counts. Postgres needs
 * seconds for a million products, so it is asked only if the index does not answer or cannot name all.
 */
export async function countCategories(
  db: Db,
  searchClient: SearchClient,
): Promise<CategoryRecord[]> {
  try {
    return (await countByEngine(searchClient)) ?? (await readCategories(db));
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    return readCategories(db);
  }
}

/** null: there are too many, or a name is too long to be read from its key. */
async function countByEngine(searchClient: SearchClient): Promise<CategoryRecord[] | null> {
  const count = { q: "", hitsPerPage: 0, facets: ["categories"] };
  const { answers } = await searchClient.ask([count, { ...count, filter: "in_stock = true" }]);
  const [all = {}, inStock = {}] = answers.map((answer) => answer.facetDistribution?.categories);
  const keys = Object.keys(all);
  if (keys.length >= maxValuesPerFacet || !keys.every(isWholeFacetKey)) return null;
  return Object.entries(all)
    .map(([key, products]) => ({
      category: fromFacetKey(key),
      products,
      inStock: inStock[key] ?? 0,
    }))
    .toSorted((a, b) => b.products - a.products || (a.category < b.category ? -1 : 1));
}

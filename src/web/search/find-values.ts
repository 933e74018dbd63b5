import type { FacetValue, ProductQuery } from "../../search/query/query.ts";
import type { PageDeps } from "../shared/page.ts";
import type { SearchedFilter, SearchParams } from "./search-params.ts";

/** Values of a filter that are listed besides the chosen ones. */
export const listedAtMost = 60;

/** Values of a filter that begin with what is typed into its search field, as GET /v1/facets/{name} has them. */
export type FindValues = (search: SearchParams, name: SearchedFilter) => Promise<FacetValue[]>;

export function createFindValues({ facetValues }: Pick<PageDeps, "facetValues">): FindValues {
  return async ({ query, finds }, name) => {
    const { availableFirst: _, ...counted } = query;
    const { values } = await facetValues({
      facet: name,
      prefix: finds[name] ?? "",
      // One more than is listed tells that there are more.
      limit: listedAtMost + chosenOf(query, name).length + 1,
      query: { ...counted, sort: "relevance" },
    });
    return values;
  };
}

export function chosenOf(query: ProductQuery, name: SearchedFilter): readonly string[] {
  const chosen = { category: query.categories, shop_id: query.shopIds, size: query.sizes };
  return chosen[name] ?? [];
}

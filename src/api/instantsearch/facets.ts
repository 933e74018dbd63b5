import { fromFacetKey } from "../../search/index/facet-key.ts";
import { filterAttributes } from "../../search/instantsearch/filter-attributes.ts";

/** Counts by value, and the least and greatest number, by attribute. */
export interface FacetCounts {
  facetDistribution?: Record<string, Record<string, number>>;
  facetStats?: Record<string, { min: number; max: number }>;
}

/** From the index's names and keys to the public ones. */
export function toFacets(names: readonly string[], counted: FacetCounts): Required<FacetCounts> {
  const distribution = names.map((name) => {
    const counts = Object.entries(counted.facetDistribution?.[engineName(name)] ?? {});
    return [name, Object.fromEntries(counts.map(([key, count]) => [fromFacetKey(key), count]))];
  });
  const stats = names.flatMap((name) => {
    const found = counted.facetStats?.[engineName(name)];
    return found ? [[name, found]] : [];
  });
  return {
    facetDistribution: Object.fromEntries(distribution),
    facetStats: Object.fromEntries(stats),
  };
}

function engineName(name: string): string {
  return filterAttributes.get(name)?.engine ?? name;
}

import { filterAttributes } from "../../search/instantsearch/filter-attributes.ts";
import type { z } from "@hono/zod-openapi";
import { normalise } from "../../search/index/normalise.ts";
import { toEngineSearch, type InstantQuery } from "../../search/instantsearch/instant-query.ts";
import { QueryFault } from "../../search/instantsearch/query-fault.ts";
import type { SearchClient } from "../../search/query/search-client.ts";
import type { facetSearchResult } from "./answer-schema.ts";

/** Counts by value, and the least and greatest number, by attribute. */
interface FacetCounts {
  facetDistribution?: Record<string, Record<string, number>>;
  facetStats?: Record<string, { min: number; max: number }>;
}

/** From the index's names to the public ones. */
export function toFacets(names: readonly string[], counted: FacetCounts): Required<FacetCounts> {
  const distribution = names.map((name) => [
    name,
    counted.facetDistribution?.[engineName(name)] ?? {},
  ]);
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

const searchableFacets = ["categories", "category", "shop_id"];

interface FacetQuery {
  facetName: string;
  facetQuery: string | null;
  isExhaustive: boolean;
  /** Only values of products that this search finds. */
  search: InstantQuery;
}

/** The values of a facet that begin with, or contain, what was typed. */
export async function searchFacet(
  searchClient: SearchClient,
  { facetName, facetQuery, isExhaustive, search }: FacetQuery,
): Promise<z.infer<typeof facetSearchResult>> {
  const answer = await searchClient.facetSearch({
    ...toEngineSearch(search),
    facetName: toFacetAttribute(facetName),
    facetQuery: normalise(facetQuery ?? ""),
    exhaustiveFacetCount: isExhaustive,
  });
  return {
    facetHits: withWhole(answer.facetHits, facetQuery ?? ""),
    facetQuery,
    processingTimeMs: answer.processingTimeMs,
  };
}

function toFacetAttribute(name: string): string {
  const attribute = searchableFacets.includes(name) ? filterAttributes.get(name) : undefined;
  if (attribute) return attribute.engine;
  throw new QueryFault(
    "invalid_facet_search_facet_name",
    `Attribute \`${name}\` is not facet-searchable. Available facet-searchable attributes patterns are: \`${searchableFacets.join(", ")}\`.`,
  );
}

/**
 * The engine looks up only the first word, which in お茶 is お, and so also finds お菓子. If some values
 * contain the whole text, the others are left out.
 */
function withWhole<T extends { value: string }>(hits: T[], typed: string): T[] {
  const folded = (text: string) => normalise(text).toLowerCase();
  const whole = hits.filter(({ value }) => folded(value).includes(folded(typed)));
  return whole.length > 0 ? whole : hits;
}

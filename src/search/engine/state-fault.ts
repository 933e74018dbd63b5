import type { EngineRefused } from "./engine.ts";

/**
 * Refusals that mean that the index is missing or has lost its settings: the parameters of our own
 * filters, sorts, facets and attributes are checked before.
 */
const stateCodes = new Set([
  "index_not_found",
  "invalid_search_filter",
  "invalid_search_sort",
  "invalid_search_distinct",
  "invalid_search_embedder",
  "invalid_search_facets",
  "invalid_search_attributes_to_search_on",
  "invalid_facet_search_facet_name",
]);

export function isStateFault({ code }: EngineRefused): boolean {
  return stateCodes.has(code);
}

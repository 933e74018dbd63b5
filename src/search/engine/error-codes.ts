/** Codes that concern the engine or our access to it, not a document. */
export const systemCodes = new Set([
  "invalid_api_key",
  "missing_authorization_header",
  "no_space_left_on_device",
  "io_error",
  "too_many_open_files",
  "too_many_search_requests",
  "database_size_limit_reached",
  "index_not_accessible",
  "unretrievable_document",
  // The embedder does not answer, and no document is at fault.
  "vector_embedding_error",
  "invalid_store_file",
]);

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

export function isStateFault({ code }: { code: string }): boolean {
  return stateCodes.has(code);
}

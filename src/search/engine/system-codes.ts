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

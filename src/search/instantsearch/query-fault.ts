/** A part of a search is wrong. The message is for its author, and the code is Meilisearch's. */
export class QueryFault extends Error {
  override readonly name = "QueryFault";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The only index. */
export const indexName = "products";

import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import { searchCandidates } from "./candidates.ts";
import { EngineUnavailable } from "../engine/engine.ts";
import { searchEngine } from "./engine-query.ts";
import { searchDegraded } from "./fallback.ts";
import type { SearchClient } from "./search-client.ts";
import type { ProductHits, ProductQuery } from "./query.ts";

export type SearchProducts = (query: ProductQuery) => Promise<ProductHits>;

export interface ProductSearchOptions {
  /** For what only Postgres can answer; its limits bound the time and the connections searches take there. */
  searchDb: Db;
  searchClient: SearchClient;
  clock: Clock;
}

const maxStandIns = 32;

/** A search throws the database's error, or EngineUnavailable, only where not even Postgres can answer. */
export function createProductSearch(options: ProductSearchOptions): SearchProducts {
  const { searchDb, searchClient, clock } = options;
  let standingIn = 0;

  async function standIn(query: ProductQuery, cause: EngineUnavailable): Promise<ProductHits> {
    // More would only wait for a connection until nobody wants the answer any more.
    if (standingIn >= maxStandIns) throw cause;
    standingIn += 1;
    try {
      return await searchDegraded(searchDb, clock.now(), query);
    } finally {
      standingIn -= 1;
    }
  }

  return async (query) => {
    const needsTruth = query.maxAgeSeconds !== undefined || query.group !== undefined;
    try {
      return await (needsTruth
        ? searchCandidates(options, query)
        : searchEngine(searchClient, query));
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      return standIn(query, error);
    }
  };
}

import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import { searchCandidates } from "./candidates.ts";
import { EngineUnavailable } from "../engine/engine.ts";
import { searchEngine } from "./engine-query.ts";
import { searchDegraded } from "./fallback.ts";
import type { IndexVersion } from "../mirror/index-version.ts";
import type { SearchClient } from "./search-client.ts";
import type { ProductHits, ProductQuery } from "./query.ts";
import { createRelaxedSearch, type RelaxOptions } from "./relax.ts";

export type SearchProducts = (query: ProductQuery) => Promise<ProductHits>;

export interface ProductSearchOptions {
  /** For searches that only Postgres can answer; its limits bound their time and connections. */
  searchDb: Db;
  searchClient: SearchClient;
  clock: Clock;
  cache: Cache;
  meaning: RelaxOptions["meaning"];
  /** The engine's answers are remembered until it changes. */
  indexVersion: IndexVersion;
}

const rememberMs = 600_000;
/** An answer that lacks what took too long; the next one may have it. */
const rememberLackingMs = 1000;
/** Callers also keep the page that they write from the hits, which is larger. */
const timesKept = 4;

const maxFallbacks = 32;

/**
 * A remembered answer is always the same object. A search throws the database's error, or
 * EngineUnavailable, only if Postgres cannot answer either.
 */
export function createProductSearch(options: ProductSearchOptions): SearchProducts {
  const { searchDb, searchClient, clock, indexVersion } = options;
  const remembered = options.cache.open<ProductHits>(
    "hits",
    ({ warnings }) => (warnings.length > 0 ? rememberLackingMs : rememberMs),
    timesKept,
  );
  const relaxed = createRelaxedSearch(options);
  let runningFallbacks = 0;

  async function fallBack(query: ProductQuery, cause: EngineUnavailable): Promise<ProductHits> {
    // More searches would only wait for a connection until nobody wants the answer any more.
    if (runningFallbacks >= maxFallbacks) throw cause;
    runningFallbacks += 1;
    try {
      return await relaxed(query, (variant) => searchDegraded(searchDb, clock.now(), variant));
    } finally {
      runningFallbacks -= 1;
    }
  }

  return async (query) => {
    const needsCatalogue = query.maxAgeSeconds !== undefined || query.group !== undefined;
    try {
      if (needsCatalogue)
        return await relaxed(query, (variant) => searchCandidates(options, variant));
      return await remembered.fetch(`${await indexVersion()} ${JSON.stringify(query)}`, () =>
        relaxed(query, (variant) => searchEngine(searchClient, variant)),
      );
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      return fallBack(query, error);
    }
  };
}

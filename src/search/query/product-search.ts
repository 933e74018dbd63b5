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
  /** For what only Postgres can answer; its limits bound the time and the connections searches take there. */
  searchDb: Db;
  searchClient: SearchClient;
  clock: Clock;
  cache: Cache;
  meaning: RelaxOptions["meaning"];
  /** Until it changes, what the engine found is remembered. */
  indexVersion: IndexVersion;
}

const rememberMs = 600_000;
/** An answer that lacks what took too long; the next one may have it. */
const rememberLackingMs = 1000;
/** Whoever shows what was found keeps the page that is written of it, which is larger. */
const timesKept = 4;

const maxStandIns = 32;

/**
 * What was found is the same object as long as it is remembered. A search throws the database's error, or
 * EngineUnavailable, only where not even Postgres can answer.
 */
export function createProductSearch(options: ProductSearchOptions): SearchProducts {
  const { searchDb, searchClient, clock, indexVersion } = options;
  const remembered = options.cache.open<ProductHits>(
    "hits",
    ({ warnings }) => (warnings.length > 0 ? rememberLackingMs : rememberMs),
    timesKept,
  );
  const relaxed = createRelaxedSearch(options);
  let standingIn = 0;

  async function standIn(query: ProductQuery, cause: EngineUnavailable): Promise<ProductHits> {
    // More would only wait for a connection until nobody wants the answer any more.
    if (standingIn >= maxStandIns) throw cause;
    standingIn += 1;
    try {
      return await relaxed(query, (asked) => searchDegraded(searchDb, clock.now(), asked));
    } finally {
      standingIn -= 1;
    }
  }

  return async (query) => {
    const needsTruth = query.maxAgeSeconds !== undefined || query.group !== undefined;
    try {
      if (needsTruth) return await relaxed(query, (asked) => searchCandidates(options, asked));
      return await remembered.fetch(`${await indexVersion()} ${JSON.stringify(query)}`, () =>
        relaxed(query, (asked) => searchEngine(searchClient, asked)),
      );
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      return standIn(query, error);
    }
  };
}

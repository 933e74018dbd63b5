import { createProductReader } from "../catalog/products.ts";
import { createShopNames } from "../catalog/shops.ts";
import type { Db } from "../db/open.ts";
import { createCache, type Cache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { SearchEngine } from "./engine/engine.ts";
import type { Embedder } from "./index/embedder.ts";
import { createFacetValues } from "./query/facet-values.ts";
import { createFindByMeaning } from "./query/relaxed/meaning.ts";
import { createSearchClient } from "./query/search-client.ts";
import {
  createIndexVersion,
  createServingIndex,
  type IndexVersion,
} from "./mirror/indexes/serving-index.ts";
import { createProductSearch } from "./query/product-search.ts";
import { createWordFrequencies } from "./query/words/word-frequencies.ts";
import { createSuggest } from "./suggest/suggest.ts";

export type Search = ReturnType<typeof createSearch>;

/** Builds everything that answers searches, over one engine and one cache. */
export function createSearch(options: {
  db: Db;
  /** The pool for searches in Postgres; it limits their time and connections. */
  searchDb: Db;
  engine: SearchEngine;
  clock: Clock;
  indexPrefix?: string;
  /** By default the index of the only search host. */
  servingIndex?: () => Promise<string>;
  /** Cached answers are valid for one version; by default that of the mirror. */
  indexVersion?: IndexVersion;
  cache?: Cache;
  /** null, as by default: nothing is found by its meaning. */
  embedder?: Embedder | null;
}) {
  const cache = options.cache ?? createCache(options.clock);
  const indexVersion = options.indexVersion ?? createIndexVersion(options.db, cache);
  const servingIndex =
    options.servingIndex ?? createServingIndex(options.db, cache, options.indexPrefix);
  const readProducts = createProductReader(options.db, cache);
  const searchClient = createSearchClient({ ...options, cache, indexVersion, servingIndex });
  const readFrequencies = createWordFrequencies(options.searchDb, cache);
  const { embedder } = options;
  const meaning = embedder
    ? {
        find: createFindByMeaning({ ...options, servingIndex, embedder }),
        ratio: embedder.semanticRatio,
      }
    : null;
  const asked = { ...options, cache, searchClient, readFrequencies };
  const search = createProductSearch({ ...asked, indexVersion, meaning });
  const shopNames = createShopNames(options.db, cache);
  return {
    search,
    facetValues: createFacetValues({ ...options, search, searchClient, shopNames }),
    shopNames,
    suggest: createSuggest({ ...asked, search, readProducts }),
    searchClient,
    readProducts,
    /** The answer cache of the whole process. */
    cache,
  };
}

import type { Db } from "../../db/open.ts";
import { EngineUnavailable, type SearchEngine } from "../engine/engine.ts";
import { hostOf } from "../mirror/indexes/hosts.ts";
import { readSearchedIndex } from "../mirror/indexes/serving-index.ts";
import type { Cluster } from "./cluster.ts";

/**
 * Several hosts, and until they have all products the one that was the only host before: its index goes on
 * answering. `engine` is that of the first host of the settings.
 */
export function createGrowingCluster(
  cluster: Cluster,
  { db, engine, indexPrefix }: { db: Db; engine: SearchEngine; indexPrefix: string },
): Cluster {
  const at = (indexUid: unknown): SearchEngine =>
    hostOf(String(indexUid).split(",")[0] ?? "") === 0 ? engine : cluster;
  return {
    search: (indexUid, query) => at(indexUid).search(indexUid, query),
    multiSearch: (queries) => at(queries[0]?.indexUid).multiSearch(queries),
    federatedSearch: (queries, federation) =>
      at(queries[0]?.indexUid).federatedSearch(queries, federation),
    facetSearch: (indexUid, query) => at(indexUid).facetSearch(indexUid, query),
    async servingIndexes() {
      try {
        return await cluster.servingIndexes();
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        const only = await readSearchedIndex(db, indexPrefix);
        if (only === null) throw error;
        return only;
      }
    },
  };
}

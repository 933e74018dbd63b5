import type { SearchAnswer } from "../engine/answers.ts";
import type { SearchEngine } from "../engine/engine.ts";
import { createGather, type ClusterOptions } from "./gather.ts";
import {
  mergeAnswers,
  mergeFacetValues,
  mergeFederated,
  toHostQuery,
  toMergeable,
} from "./merge.ts";

type Query = Record<string, unknown>;

export interface Cluster extends SearchEngine {
  /** The indexes that searches read now, with commas. Throws EngineUnavailable if a bucket has no host. */
  servingIndexes(): Promise<string>;
}

/**
 * Several search hosts as one. Each bucket is searched at one host; hits, counts and facets are merged.
 * Throws EngineUnavailable if a bucket is at no host that answers.
 */
export function createCluster(options: ClusterOptions): Cluster {
  const { gather, readTargets } = createGather(options);

  const multiSearch = async (queries: readonly Query[]): Promise<SearchAnswer[]> => {
    const [only] = queries;
    const perHost = await gather(async (engine, { host: { indexUid }, filter }) => {
      const asked = queries.map((query) => toHostQuery(query, indexUid, filter));
      return engine.multiSearch(asked);
    });
    if (!only) return [];
    return queries.map((query, i) =>
      mergeAnswers(
        query,
        perHost.flatMap((answers) => answers[i] ?? []),
      ),
    );
  };

  return {
    multiSearch,
    async search(_indexUid, query) {
      const [answer] = await multiSearch([query]);
      if (!answer) throw new Error("the engine's answer has no results");
      return answer;
    },
    async federatedSearch(queries, federation) {
      const { facetsByIndex, offset = 0, limit = 20, ...rest } = federation;
      const [[asked, facets] = []] = Object.entries(facetsByIndex ?? {});
      const answers = await gather((engine, { host: { indexUid }, filter }) =>
        engine.federatedSearch(
          queries.map((query) => toMergeable({ ...query, indexUid }, filter)),
          {
            ...rest,
            offset: 0,
            limit: Number(offset) + Number(limit),
            ...(facets === undefined ? {} : { facetsByIndex: { [indexUid]: facets } }),
          },
        ),
      );
      return mergeFederated(queries, federation, asked ?? "", answers);
    },
    async facetSearch(_indexUid, query) {
      const answers = await gather((engine, { host: { indexUid }, filter }) => {
        const { filter: both } = toMergeable({ filter: query.filter }, filter);
        return engine.facetSearch(indexUid, { ...query, ...(both ? { filter: both } : {}) });
      });
      return mergeFacetValues(answers);
    },
    async servingIndexes() {
      const targets = await readTargets();
      return targets.map(({ host }) => host.indexUid).join(",");
    },
  };
}

import {
  toEngineFacets,
  toEngineHits,
  type InstantQuery,
} from "../../search/instantsearch/instant-query.ts";
import { isRecord } from "../../lib/is-record.ts";
import { toFacets } from "./facets.ts";
import { readFound, writeHits, type MeiliDeps, type ParsedQuery } from "./hits/hits.ts";

export interface FederatedQuery {
  queries: { one: ParsedQuery; weight: number }[];
  window: { offset: number; limit: number };
  /** The facets to count, by the name of the index as asked. */
  facets: ReadonlyMap<string, string[]>;
  /** null: counts are told by index. */
  merge: { maxValuesPerFacet?: number } | null;
}

/** The queries as if each were asked for itself: every one ranks as many hits as the list skips and shows. */
export function toWork({ queries, window, facets }: FederatedQuery): InstantQuery[] {
  const depth = window.offset + window.limit;
  return queries.map(({ one }, i) =>
    i === 0
      ? { ...one.query, window, facets: [...facets.values()].flat() }
      : { ...one.query, window: { offset: depth, limit: 0 } },
  );
}

/** The hits of all queries in one list, as JSON. All shown values are read from the catalogue. */
export async function answerFederated(deps: MeiliDeps, asked: FederatedQuery): Promise<string> {
  const { window, merge, facets } = asked;
  if (asked.queries.length === 0) {
    return JSON.stringify({ hits: [], processingTimeMs: 0, ...window, estimatedTotalHits: 0 });
  }
  const answer = await deps.searchClient.askFederated(
    asked.queries.map(({ one, weight }) => ({
      ...toEngineHits(one.query),
      sort: one.query.sort,
      federationOptions: { weight },
    })),
    {
      ...window,
      facets: facets.size === 0 ? null : toEngineFacets([...facets.values()].flat()),
      ...(merge === null ? {} : { mergeFacets: merge }),
    },
  );
  const found = answer.hits.flatMap((engineHit) => {
    const { _federation: federation } = engineHit;
    if (!isRecord(federation)) return [];
    const one = asked.queries[Number(federation.queriesPosition)]?.one;
    if (!one) return [];
    const extra = { _federation: { ...federation, indexUid: one.indexUid } };
    return [{ engineHit, one, extra }];
  });
  const records = await readFound(deps.readProducts, answer.hits);
  const { itemIds, hits } = await writeHits(deps, found, records);
  deps.demand.shown(itemIds, window.offset);
  const rest = {
    processingTimeMs: answer.processingTimeMs,
    ...window,
    estimatedTotalHits: answer.estimatedTotalHits ?? 0,
    ...(facets.size === 0 ? {} : countsOf(facets, merge !== null, answer)),
  };
  return `{"hits":[${hits.join(",")}],${JSON.stringify(rest).slice(1)}`;
}

function countsOf(
  facets: FederatedQuery["facets"],
  isMerged: boolean,
  answer: Awaited<ReturnType<MeiliDeps["searchClient"]["askFederated"]>>,
): Record<string, unknown> {
  if (isMerged) return toFacets([...new Set([...facets.values()].flat())], answer);
  const byIndex = [...facets].map(([indexUid, names]) => {
    const { facetDistribution, facetStats } = toFacets(names, answer);
    return [indexUid, { distribution: facetDistribution, stats: facetStats }];
  });
  return { facetsByIndex: Object.fromEntries(byIndex) };
}

import { MeiliProblem } from "../../http/problems/instantsearch-problem.ts";
import { QueryFault } from "../../../search/instantsearch/query-fault.ts";
import { readFacets } from "../../../search/instantsearch/instant-query.ts";
import type { FederatedQuery } from "../federated.ts";
import type { ParsedQuery } from "../hits/hits.ts";
import {
  invalidIndexUid,
  isIndexUid,
  type MeiliFederation,
  type MeiliMultiQuery,
} from "./request-schema.ts";
import { readIndexUid, toInstantQuery, toOffsetWindow, type SearchBody } from "./to-query.ts";

export function toParsedQuery(indexUid: string, body: SearchBody): ParsedQuery {
  const order = readIndexUid(indexUid);
  return {
    indexUid,
    query: toInstantQuery(body, order),
    tags: {
      open: body.highlightPreTag ?? "<em>",
      close: body.highlightPostTag ?? "</em>",
      cut: body.cropMarker ?? "…",
    },
    page: body.page ?? 1,
  };
}

export function toParsedQueries(queries: readonly MeiliMultiQuery[]): ParsedQuery[] {
  return queries.map(({ indexUid, federationOptions, ...body }, i) =>
    inside(`queries[${i}]`, () => {
      if (federationOptions) {
        throw new QueryFault(
          "invalid_multi_search_federation_options",
          `Using \`federationOptions\` is not allowed in a non-federated search.\n - Hint: remove \`federationOptions\` from query #${i} or add \`federation\` to the request.`,
        );
      }
      return toParsedQuery(indexUid, body);
    }),
  );
}

export function toFederatedQuery(
  queries: readonly MeiliMultiQuery[],
  federation: MeiliFederation,
): FederatedQuery {
  const parsed = queries.map(({ federationOptions, ...query }, i) => {
    const { indexUid, ...body } = query;
    return inside(`queries[${i}]`, () => {
      refuseOwnList(query, i);
      for (const name of ["remote", "queryPosition"] as const) {
        if ((federationOptions?.[name] ?? null) === null) continue;
        throw new QueryFault(
          "feature_not_enabled",
          `Using \`federationOptions.${name}\` requires enabling the \`network\` experimental feature.`,
        );
      }
      return { one: toParsedQuery(indexUid, body), weight: federationOptions?.weight ?? 1 };
    });
  });
  const facets = new Map<string, string[]>();
  for (const [indexUid, names] of Object.entries(federation.facetsByIndex ?? {})) {
    if (!names) continue;
    if (!isIndexUid(indexUid)) {
      throw new QueryFault(
        "invalid_multi_search_facets_by_index",
        `Invalid value at \`.federation.facetsByIndex\`: ${invalidIndexUid(indexUid.slice(0, 100).toWellFormed())}`,
      );
    }
    const counted = inside(`federation.facetsByIndex.${indexUid}`, () => {
      readIndexUid(indexUid);
      return asFacetsByIndex(names);
    });
    facets.set(indexUid, counted);
  }
  const { mergeFacets } = federation;
  const most = mergeFacets?.maxValuesPerFacet ?? null;
  return {
    queries: parsed,
    window: toOffsetWindow(federation),
    facets,
    merge: mergeFacets ? (most === null ? {} : { maxValuesPerFacet: most }) : null,
  };
}

/** Pages and counts belong to the list of all hits. */
function refuseOwnList(query: MeiliMultiQuery, i: number): void {
  const paged = (["limit", "offset", "page", "hitsPerPage"] as const).find(
    (name) => (query[name] ?? null) !== null,
  );
  if (paged !== undefined) {
    throw new QueryFault(
      "invalid_multi_search_query_pagination",
      `Using pagination options is not allowed in federated queries.\n - Hint: remove \`${paged}\` from query #${i} or remove \`federation\` from the request\n - Hint: pass \`federation.limit\` and \`federation.offset\` for pagination in federated search`,
    );
  }
  if (!query.facets || query.facets.length === 0) return;
  throw new QueryFault(
    "invalid_multi_search_query_facets",
    `Using facet options is not allowed in federated queries.\n - Hint: remove \`facets\` from query #${i} or remove \`federation\` from the request\n - Hint: pass \`federation.facetsByIndex.${query.indexUid}: [${query.facets.map((name) => JSON.stringify(name)).join(", ")}]\` for facets in federated search`,
  );
}

function asFacetsByIndex(names: readonly string[]): string[] {
  try {
    return readFacets(names);
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    throw new QueryFault("invalid_multi_search_facets", error.message);
  }
}

/** Tells which part of the request is at fault. */
function inside<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof QueryFault) && !(error instanceof MeiliProblem)) throw error;
    throw new QueryFault(
      error.code,
      `Inside \`.${path.slice(0, 100).toWellFormed()}\`: ${error.message}`,
    );
  }
}

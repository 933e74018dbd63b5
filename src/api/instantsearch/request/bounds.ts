import type { Filter } from "../../../search/instantsearch/filter.ts";
import type { InstantQuery } from "../../../search/instantsearch/instant-query.ts";
import { QueryFault } from "../../../search/instantsearch/query-fault.ts";

/** The most that all queries of one request may ask for together. */
export const mostWork = { queries: 20, hits: 1000, depth: 20_000, conditions: 500, facets: 60 };

type Work = typeof mostWork;

/** Up to this a request is as cheap as a plain search. Larger ones wait in a lane. */
const plainWork: Work = { queries: 5, hits: 50, depth: 1000, conditions: 50, facets: 20 };

/** What is counted, and Meilisearch's code for a fault in the field that asks for it. */
const kinds = [
  ["queries", "queries", "bad_request"],
  ["hits", "hits", "invalid_search_limit"],
  ["depth", "hits to be ranked (offset and limit together)", "invalid_search_offset"],
  ["conditions", "filter conditions", "invalid_search_filter"],
  ["facets", "facets", "invalid_search_facets"],
] as const;

/** Throws if a request asks for too much; tells whether it is more expensive than a plain search. */
export function checkWork(queries: readonly InstantQuery[]): { isExpensive: boolean } {
  const work = workOf(queries);
  for (const [kind, words, code] of kinds) {
    if (work[kind] <= mostWork[kind]) continue;
    throw new QueryFault(
      code,
      `The request asks for ${work[kind]} ${words} in total; at most ${mostWork[kind]} are allowed.`,
    );
  }
  return { isExpensive: kinds.some(([kind]) => work[kind] > plainWork[kind]) };
}

function workOf(queries: readonly InstantQuery[]): Work {
  const total = (of: (query: InstantQuery) => number) =>
    queries.reduce((sum, query) => sum + of(query), 0);
  const hitsOf = ({ window }: InstantQuery) =>
    "limit" in window ? window.limit : window.hitsPerPage;
  return {
    queries: queries.length,
    hits: total(hitsOf),
    depth: total(({ window }) =>
      "limit" in window ? window.offset + window.limit : window.page * window.hitsPerPage,
    ),
    conditions: total(({ filter }) => conditionsOf(filter)),
    facets: total(({ facets }) => facets?.length ?? 0),
  };
}

function conditionsOf(filter: Filter): number {
  switch (filter.kind) {
    case "all":
    case "any":
      return filter.parts.reduce((sum, part) => sum + conditionsOf(part), 0);
    case "not":
      return conditionsOf(filter.part);
    case "in":
      return Math.max(1, filter.values.length);
    case "compare":
    case "empty":
      return 1;
  }
}

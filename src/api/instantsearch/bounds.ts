import type { Filter } from "../../search/instantsearch/filter.ts";
import type { InstantQuery } from "../../search/instantsearch/instant-query.ts";
import { MeiliProblem } from "../http/instantsearch-problem.ts";

interface Work {
  queries: number;
  /** Products shown. */
  hits: number;
  /** Products ranked: those skipped and those shown. */
  depth: number;
  /** Values that filters compare with. */
  conditions: number;
  facets: number;
}

/** The most that all queries of one request may ask for together. */
export const mostWork: Work = {
  queries: 20,
  hits: 1000,
  depth: 20_000,
  conditions: 500,
  facets: 60,
};

/** Up to this a request is as cheap as a plain search. Larger ones wait in a lane. */
const plainWork: Work = { queries: 5, hits: 50, depth: 1000, conditions: 50, facets: 20 };

const words: Record<keyof Work, string> = {
  queries: "queries",
  hits: "hits",
  depth: "hits to be ranked (offset and limit together)",
  conditions: "filter conditions",
  facets: "facets",
};

/** Meilisearch's code for a fault in the field that asks for it. */
const codes: Record<keyof Work, string> = {
  queries: "bad_request",
  hits: "invalid_search_limit",
  depth: "invalid_search_offset",
  conditions: "invalid_search_filter",
  facets: "invalid_search_facets",
};

/** Throws if a request asks for too much; tells whether it is more expensive than a plain search. */
export function checkWork(queries: readonly InstantQuery[]): { isExpensive: boolean } {
  const work = workOf(queries);
  const kinds = ["queries", "hits", "depth", "conditions", "facets"] as const;
  const excess = kinds.find((kind) => work[kind] > mostWork[kind]);
  if (excess !== undefined) {
    throw new MeiliProblem(
      400,
      codes[excess],
      `The request asks for ${work[excess]} ${words[excess]} in total; at most ${mostWork[excess]} are allowed.`,
    );
  }
  return { isExpensive: kinds.some((kind) => work[kind] > plainWork[kind]) };
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

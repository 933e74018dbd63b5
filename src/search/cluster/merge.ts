import type {
  Counts,
  FacetSearchAnswer,
  FederatedAnswer,
  Ranges,
  SearchAnswer,
} from "../engine/answers.ts";
import { isRecord } from "../../lib/is-record.ts";
import { maxValuesPerFacet, tieBreakers } from "../index/settings.ts";

type Members = Record<string, unknown>;
type Hit = Members;

/** The order of hits, which the hosts' answers must have and the merged one gets. */
type Compare = (a: Hit, b: Hit) => number;

interface Window {
  offset: number;
  limit: number;
}

const defaultLimit = 20;

export function windowOf(query: Members): Window {
  const { page, hitsPerPage, offset, limit } = query;
  if (page === undefined && hitsPerPage === undefined) {
    return { offset: Number(offset ?? 0), limit: Number(limit ?? defaultLimit) };
  }
  const perPage = Number(hitsPerPage ?? defaultLimit);
  return { offset: (Number(page ?? 1) - 1) * perPage, limit: perPage };
}

/**
 * What every host is asked for a query: the hits from the first on, with all that orders them. Only these
 * buckets, if `filter` names some.
 */
export function toHostQuery(query: Members, indexUid: string, filter: string | null): Members {
  const { page, hitsPerPage, offset: _offset, limit: _limit, ...rest } = query;
  const { offset, limit } = windowOf(query);
  const depth = offset + limit;
  const isPaged = page !== undefined || hitsPerPage !== undefined;
  return {
    ...toMergeable({ ...rest, indexUid }, filter),
    showRankingScore: true,
    ...(isPaged ? { page: 1, hitsPerPage: depth } : { offset: 0, limit: depth }),
  };
}

/** The query with what orders its hits, and only these buckets. */
export function toMergeable(query: Members, filter: string | null): Members {
  const { attributesToRetrieve } = query;
  return {
    ...query,
    ...(filter === null ? {} : { filter: [filter, ...[query.filter ?? []].flat()] }),
    ...(Array.isArray(attributesToRetrieve)
      ? { attributesToRetrieve: [...attributesToRetrieve, ...addedAttributes(query)] }
      : {}),
  };
}

/** Attributes that only the merge needs. */
function addedAttributes({ attributesToRetrieve, sort, distinct }: Members): string[] {
  if (!Array.isArray(attributesToRetrieve)) return [];
  const ordering = [...rulesOf(sort), ...tieBreakers].map((rule) => rule.split(":")[0] ?? "");
  const needed = new Set([...ordering, ...(typeof distinct === "string" ? [distinct] : [])]);
  return [...needed].filter((name) => !attributesToRetrieve.includes(name));
}

const rulesOf = (sort: unknown): string[] => (Array.isArray(sort) ? sort.map(String) : []);

function comparing(rules: readonly string[]): Compare {
  const parts = rules.map((rule) => {
    const [name = "", direction] = rule.split(":");
    return { name, sign: direction === "desc" ? -1 : 1 };
  });
  return (a, b) => {
    for (const { name, sign } of parts) {
      const order = compareValues(a[name], b[name], sign);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Products without a value come last in both directions. */
function compareValues(a: unknown, b: unknown, sign: number): number {
  const isLacking = (value: unknown) => value === null || value === undefined;
  if (isLacking(a) || isLacking(b)) return Number(isLacking(a)) - Number(isLacking(b));
  return sign * (Number(a) - Number(b));
}

const byTies = comparing(tieBreakers);

/** The hosts' answers to one query as the answer of one host with all their products. */
export function mergeAnswers(query: Members, answers: readonly SearchAnswer[]): SearchAnswer {
  const bySort = comparing(rulesOf(query.sort));
  const compare: Compare = (a, b) =>
    bySort(a, b) || Number(b._rankingScore) - Number(a._rankingScore) || byTies(a, b);
  const { offset, limit } = windowOf(query);
  const hits = distinct(
    answers.flatMap((answer) => answer.hits).toSorted(compare),
    query.distinct,
  ).slice(offset, offset + limit);
  const added = [
    ...addedAttributes(query),
    ...(query.showRankingScore === true ? [] : ["_rankingScore"]),
  ];
  return {
    hits: hits.map((hit) => without(hit, added)),
    processingTimeMs: Math.max(...answers.map((answer) => answer.processingTimeMs)),
    ...sumOf("totalHits", answers),
    ...sumOf("estimatedTotalHits", answers),
    ...mergeFacets(answers),
  };
}

function sumOf(name: "totalHits" | "estimatedTotalHits", answers: readonly SearchAnswer[]) {
  if (answers.every((answer) => answer[name] === undefined)) return {};
  return { [name]: answers.reduce((sum, answer) => sum + (answer[name] ?? 0), 0) };
}

/** The first hit of each value; several values of one hit all count. */
function distinct(hits: Hit[], attribute: unknown): Hit[] {
  if (typeof attribute !== "string") return hits;
  const seen = new Set<unknown>();
  return hits.filter((hit) => {
    const values = [hit[attribute] ?? []].flat();
    if (values.some((one) => seen.has(one))) return false;
    for (const one of values) seen.add(one);
    return true;
  });
}

function without(hit: Hit, names: readonly string[]): Hit {
  const left = (members: Members) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
  const { _formatted: formatted } = hit;
  return { ...left(hit), ...(isRecord(formatted) ? { _formatted: left(formatted) } : {}) };
}

type Facets = Pick<SearchAnswer, "facetDistribution" | "facetStats" | "lowCounts">;

/**
 * The most frequent values, as many as one host names. Exact, except where a host named as many as it
 * may: a value that it left out is counted too low.
 */
function mergeFacets(answers: readonly Facets[], most = maxValuesPerFacet): Facets {
  const given = answers.flatMap(({ facetDistribution: counts }) => (counts ? [counts] : []));
  if (given.length === 0) return {};
  const facetDistribution: Counts = {};
  const lowCounts: string[] = [];
  for (const name of new Set(given.flatMap((counts) => Object.keys(counts)))) {
    const totals = new Map<string, number>();
    for (const counts of given) {
      const values = Object.entries(counts[name] ?? {});
      if (values.length >= most && given.length > 1) lowCounts.push(name);
      for (const [value, count] of values) totals.set(value, (totals.get(value) ?? 0) + count);
    }
    facetDistribution[name] = Object.fromEntries(mostFrequent(totals, most));
  }
  const facetStats: Ranges = {};
  for (const stats of answers.flatMap((answer) => Object.entries(answer.facetStats ?? {}))) {
    const [name, { min, max }] = stats;
    const known = facetStats[name] ?? { min, max };
    facetStats[name] = { min: Math.min(known.min, min), max: Math.max(known.max, max) };
  }
  return { facetDistribution, facetStats, ...(lowCounts.length > 0 ? { lowCounts } : {}) };
}

function mostFrequent(counts: ReadonlyMap<string, number>, most: number): [string, number][] {
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return sorted.slice(0, most);
}

/** One list of the hits of several queries, from each host's list of them. Names of indexes become `indexUid`. */
export function mergeFederated(
  queries: readonly Members[],
  federation: Members,
  indexUid: string,
  answers: readonly FederatedAnswer[],
): FederatedAnswer {
  const federationOf = (hit: Hit) => (isRecord(hit._federation) ? hit._federation : {});
  const queryOf = (hit: Hit) => queries[Number(federationOf(hit).queriesPosition)] ?? {};
  const scoreOf = (hit: Hit) => Number(federationOf(hit).weightedRankingScore);
  const compare: Compare = (a, b) => {
    const [rules, others] = [rulesOf(queryOf(a).sort), rulesOf(queryOf(b).sort)];
    const bySort = rules.join() === others.join() ? comparing(rules)(a, b) : 0;
    return bySort || scoreOf(b) - scoreOf(a) || byTies(a, b);
  };
  const { offset, limit } = windowOf(federation);
  const hits = answers
    .flatMap((answer) => answer.hits)
    .toSorted(compare)
    .slice(offset, offset + limit);
  const most = isRecord(federation.mergeFacets)
    ? Number(federation.mergeFacets.maxValuesPerFacet ?? maxValuesPerFacet)
    : maxValuesPerFacet;
  const byIndex = answers.flatMap(({ facetsByIndex }) =>
    Object.values(facetsByIndex ?? {}).map(({ distribution, stats }) => ({
      facetDistribution: distribution,
      facetStats: stats,
    })),
  );
  const { facetDistribution, facetStats } = mergeFacets(byIndex, most);
  return {
    hits: hits.map((hit) => without(hit, addedAttributes(queryOf(hit)))),
    processingTimeMs: Math.max(...answers.map((answer) => answer.processingTimeMs)),
    ...sumOf("estimatedTotalHits", answers),
    ...mergeFacets(answers, most),
    ...(facetDistribution && facetStats
      ? { facetsByIndex: { [indexUid]: { distribution: facetDistribution, stats: facetStats } } }
      : {}),
  };
}

export function mergeFacetValues(answers: readonly FacetSearchAnswer[]): FacetSearchAnswer {
  const totals = new Map<string, number>();
  for (const { value, count } of answers.flatMap((answer) => answer.facetHits))
    totals.set(value, (totals.get(value) ?? 0) + count);
  const values = mostFrequent(totals, maxValuesPerFacet);
  return {
    facetHits: values.map(([value, count]) => ({ value, count })),
    facetQuery: answers[0]?.facetQuery ?? null,
    processingTimeMs: Math.max(...answers.map((answer) => answer.processingTimeMs)),
  };
}

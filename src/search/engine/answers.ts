import { isRecord } from "../../lib/is-record.ts";

export interface SearchAnswer {
  hits: Record<string, unknown>[];
  processingTimeMs: number;
  totalHits?: number;
  estimatedTotalHits?: number;
  facetDistribution?: Counts;
  facetStats?: Ranges;
  /** Facets whose counts may be too low, because one of several hosts did not name all of its values. */
  lowCounts?: readonly string[];
}

export type Counts = Record<string, Record<string, number>>;
export type Ranges = Record<string, { min: number; max: number }>;

/** The hits of several queries in one list: each says in `_federation` which query found it. */
export interface FederatedAnswer extends SearchAnswer {
  facetsByIndex?: Record<string, { distribution: Counts; stats: Ranges }>;
}

export interface FacetSearchAnswer {
  facetHits: { value: string; count: number }[];
  facetQuery: string | null;
  processingTimeMs: number;
}

/** Whatever else a version has in its answers. */
export function isSearchAnswer(body: unknown): body is SearchAnswer {
  return isRecord(body) && Array.isArray(body.hits);
}

export function isMultiAnswer(body: unknown): body is { results: SearchAnswer[] } {
  return isRecord(body) && Array.isArray(body.results) && body.results.every(isSearchAnswer);
}

export function isFacetSearchAnswer(body: unknown): body is FacetSearchAnswer {
  return isRecord(body) && Array.isArray(body.facetHits);
}

import type { ProductRecord, ReadProducts } from "../../../catalog/products.ts";
import { passes } from "../../../search/instantsearch/filter-engine.ts";
import type { InstantQuery } from "../../../search/instantsearch/instant-query.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { toFormatted, type Tags } from "./formatted.ts";
import { filterValuesOf, picked, toMeiliHit } from "./hit.ts";
import { toMatchesPosition } from "./matches-position.ts";

export interface ParsedQuery {
  indexUid: string;
  query: InstantQuery;
  tags: Tags;
  /** As asked: beyond the last page there are no hits. */
  page: number;
}

export type MeiliDeps = Pick<
  ApiDeps,
  "readProducts" | "clock" | "searchClient" | "market" | "demand"
>;

/** A hit that the engine found for one of the queries. */
export interface FoundHit {
  engineHit: Record<string, unknown>;
  one: ParsedQuery;
  /** Further members. */
  extra?: Record<string, unknown>;
}

/** The hits as JSON; only those that exist and still match the filter, because the index may lag. */
export async function writeHits(
  { market, clock }: Pick<MeiliDeps, "market" | "clock">,
  found: readonly FoundHit[],
  records: ReadonlyMap<number, ProductRecord>,
) {
  const now = clock.now();
  const itemIds: number[] = [];
  const hits: string[] = [];
  for (const { engineHit, one, extra } of found) {
    const { query, tags } = one;
    // Marking a hit's long texts takes a millisecond, so let other requests run in between.
    if (query.highlight.length > 0 || query.crop.size > 0 || query.showMatchesPosition) {
      await new Promise(setImmediate);
    }
    const record = records.get(Number(engineHit.id));
    if (!record || record.state === "gone") continue;
    const whole = toMeiliHit(record, market, now);
    if (!passes(query.filter, filterValuesOf(whole, record))) continue;
    const formatted = toFormatted(whole, engineHit, tags, query);
    itemIds.push(record.itemId);
    hits.push(
      JSON.stringify({
        ...picked(whole, query.retrieve),
        // JSON leaves out members that are undefined.
        _vectors: query.retrieveVectors ? {} : undefined,
        ...extra,
        _formatted: formatted ?? undefined,
        _matchesPosition: query.showMatchesPosition
          ? toMatchesPosition(whole, engineHit)
          : undefined,
        _rankingScore: query.showRankingScore ? engineHit._rankingScore : undefined,
        _rankingScoreDetails: query.showRankingScoreDetails
          ? engineHit._rankingScoreDetails
          : undefined,
      }),
    );
  }
  return { itemIds, hits };
}
export async function readFound(
  readProducts: ReadProducts,
  engineHits: readonly Record<string, unknown>[],
): Promise<ReadonlyMap<number, ProductRecord>> {
  const ids = new Set(engineHits.map((hit) => Number(hit.id)));
  return (await readProducts([...ids])).records;
}

import type { Demand } from "../catalog/demand.ts";
import { readProducts, type ProductRecord } from "../catalog/products.ts";
import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import type { SearchAnswer } from "../search/engine.ts";
import { fromFacetKey } from "../search/facet-key.ts";
import { filterAttributes } from "../search/filter-attributes.ts";
import { passes } from "../search/filter-engine.ts";
import type { Finder } from "../search/finder.ts";
import { toInstantEngineQuery, type InstantQuery } from "../search/instant-query.ts";
import { filterValuesOf, toFormatted, toMeiliHit, type MeiliHit } from "./meili-hit.ts";
import type { MeiliSearchBody } from "./meili-schema.ts";
import { maxDepth } from "./product-query.ts";

export interface AskedQuery {
  indexUid: string;
  query: InstantQuery;
  body: MeiliSearchBody;
}

export interface MeiliDeps {
  db: Db;
  clock: Clock;
  finder: Finder;
  demand: Pick<Demand, "shown">;
}

/** Answers in the order of the queries; what is shown of every hit is read from the catalogue. */
export async function answerMeili(
  { db, clock, finder, demand }: MeiliDeps,
  asked: readonly AskedQuery[],
): Promise<Record<string, unknown>[]> {
  if (asked.length === 0) return [];
  const { answers } = await finder.ask(asked.map(({ query }) => toInstantEngineQuery(query)));
  const ids = new Set(answers.flatMap((answer) => answer.hits.map((hit) => Number(hit.id))));
  const records = await readProducts(db, [...ids]);
  const now = clock.now();
  return asked.map((one, i) => {
    const answer = answers[i];
    if (!answer) throw new Error("fewer answers than queries");
    const shown = toShown(one.query, answer, records, now);
    demand.shown(
      shown.map(({ record }) => record.itemId),
      offsetOf(one.query),
    );
    return {
      indexUid: one.indexUid,
      hits: toHits(one, shown, now),
      query: one.query.q,
      processingTimeMs: answer.processingTimeMs,
      ...toTotals(one.query, answer),
      ...(one.query.facets.length > 0 ? toFacets(one.query.facets, answer) : {}),
    };
  });
}

interface Shown {
  record: ProductRecord;
  engineHit: Record<string, unknown>;
}

/** Those that exist and still pass the filter: an index that lags may think otherwise. */
function toShown(
  query: InstantQuery,
  answer: SearchAnswer,
  records: ReadonlyMap<number, ProductRecord>,
  now: Date,
): Shown[] {
  return answer.hits.flatMap((engineHit) => {
    const record = records.get(Number(engineHit.id));
    if (!record || record.state === "gone") return [];
    return passes(query.filter, filterValuesOf(record, now)) ? [{ record, engineHit }] : [];
  });
}

function toHits({ query, body }: AskedQuery, shown: readonly Shown[], now: Date): MeiliHit[] {
  const tags = { open: body.highlightPreTag ?? "<em>", close: body.highlightPostTag ?? "</em>" };
  const retrieved = body.attributesToRetrieve ?? ["*"];
  const isFormatted = query.highlight.length > 0 || query.crop.size > 0;
  return shown.map(({ record, engineHit }) => {
    const whole = toMeiliHit(record, now);
    const hit = retrieved.includes("*") ? whole : picked(whole, retrieved);
    return {
      ...hit,
      ...(isFormatted ? { _formatted: toFormatted(whole, engineHit, tags, query) } : {}),
      ...(query.showRankingScore ? { _rankingScore: engineHit._rankingScore } : {}),
    };
  });
}

function offsetOf({ window }: InstantQuery): number {
  return "limit" in window ? window.offset : (window.page - 1) * window.hitsPerPage;
}

function picked(hit: MeiliHit, names: readonly string[]): MeiliHit {
  return Object.fromEntries(Object.entries(hit).filter(([name]) => names.includes(name)));
}

function toTotals({ window }: InstantQuery, answer: SearchAnswer): Record<string, number> {
  if ("limit" in window) {
    return { ...window, estimatedTotalHits: answer.estimatedTotalHits ?? 0 };
  }
  const totalHits = answer.totalHits ?? 0;
  const { hitsPerPage } = window;
  const pages = hitsPerPage === 0 ? 0 : Math.ceil(totalHits / hitsPerPage);
  const reachable = hitsPerPage === 0 ? 0 : Math.floor(maxDepth / hitsPerPage);
  return { ...window, totalPages: Math.min(pages, reachable), totalHits };
}

/** Under the names they were asked by. */
function toFacets(names: readonly string[], answer: SearchAnswer): Record<string, unknown> {
  const distribution = names.map((name) => {
    const engineName = filterAttributes.get(name)?.engine ?? name;
    const counts = Object.entries(answer.facetDistribution?.[engineName] ?? {});
    return [name, Object.fromEntries(counts.map(([key, count]) => [fromFacetKey(key), count]))];
  });
  const stats = names.flatMap((name) => {
    const found = answer.facetStats?.[filterAttributes.get(name)?.engine ?? name];
    return found ? [[name, found]] : [];
  });
  return {
    facetDistribution: Object.fromEntries(distribution),
    facetStats: Object.fromEntries(stats),
  };
}

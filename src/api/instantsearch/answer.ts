import type { Demand } from "../../catalog/demand.ts";
import type { ReadProducts } from "../../catalog/product-reader.ts";
import type { Market } from "../../catalog/market.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SearchAnswer } from "../../search/engine/engine.ts";
import { fromFacetKey } from "../../search/index/facet-key.ts";
import { filterAttributes } from "../../search/instantsearch/filter-attributes.ts";
import { passes } from "../../search/instantsearch/filter-engine.ts";
import type { SearchClient } from "../../search/query/search-client.ts";
import {
  toInstantEngineQuery,
  type InstantQuery,
} from "../../search/instantsearch/instant-query.ts";
import { answerTooLarge, maxAnswerBytes } from "../http/answer.ts";
import { filterValuesOf, toFormatted, toMeiliHit, type MeiliHit } from "./hit.ts";
import type { MeiliSearchBody } from "./schema.ts";
import { maxDepth } from "../products/product-query.ts";

export interface ParsedQuery {
  /** null: a search of a single index, whose answer does not name the index. */
  indexUid: string | null;
  query: InstantQuery;
  body: MeiliSearchBody;
}

export interface MeiliDeps {
  readProducts: ReadProducts;
  clock: Clock;
  searchClient: SearchClient;
  market: Market;
  demand: Pick<Demand, "shown">;
}

/** Requested hits to process at once; more would block the event loop for too long. */
const hitsAtOnce = 100;

/** One answer per query as JSON, in their order. All shown values are read from the catalogue. */
export async function answerMeili(
  deps: MeiliDeps,
  queries: readonly ParsedQuery[],
): Promise<string[]> {
  const answers: string[] = [];
  let bytes = 0;
  for (const part of partsOf(queries)) {
    for (const answer of await answerPart(deps, part)) {
      bytes += Buffer.byteLength(answer);
      if (bytes > maxAnswerBytes) throw answerTooLarge();
      answers.push(answer);
    }
  }
  return answers;
}

function partsOf(queries: readonly ParsedQuery[]): ParsedQuery[][] {
  const parts: ParsedQuery[][] = [];
  let room = 0;
  for (const one of queries) {
    const { window } = one.query;
    const hits = "limit" in window ? window.limit : window.hitsPerPage;
    if (room < hits || parts.length === 0) {
      parts.push([]);
      room = hitsAtOnce;
    }
    parts.at(-1)?.push(one);
    room -= hits;
  }
  return parts;
}

async function answerPart(
  { readProducts, clock, searchClient, market, demand }: MeiliDeps,
  queries: readonly ParsedQuery[],
): Promise<string[]> {
  const { answers } = await searchClient.ask(
    queries.map(({ query }) => toInstantEngineQuery(query)),
  );
  const ids = new Set(answers.flatMap((answer) => answer.hits.map((hit) => Number(hit.id))));
  const { records } = await readProducts([...ids]);
  const now = clock.now();
  const texts: string[] = [];
  for (const [i, one] of queries.entries()) {
    const answer = answers[i];
    if (!answer) throw new Error("fewer answers than queries");
    const { itemIds, hits } = await writeHits(one, answer, { records, market, now });
    demand.shown(itemIds, offsetOf(one.query));
    const rest = {
      ...(one.indexUid === null ? {} : { indexUid: one.indexUid }),
      query: one.query.q,
      processingTimeMs: answer.processingTimeMs,
      ...toTotals(one.query, answer),
      ...(one.query.facets.length > 0 ? toFacets(one.query.facets, answer) : {}),
    };
    texts.push(`{"hits":[${hits.join(",")}],${JSON.stringify(rest).slice(1)}`);
  }
  return texts;
}

interface Catalogue {
  records: ReadonlyMap<number, ProductRecord>;
  market: Market;
  now: Date;
}

/** Only hits that exist and still match the filter, because the index may lag. */
async function writeHits(
  { query, body }: ParsedQuery,
  answer: SearchAnswer,
  { records, market, now }: Catalogue,
): Promise<{ itemIds: number[]; hits: string[] }> {
  const tags = { open: body.highlightPreTag ?? "<em>", close: body.highlightPostTag ?? "</em>" };
  const retrieved = body.attributesToRetrieve ?? ["*"];
  const isFormatted = query.highlight.length > 0 || query.crop.size > 0;
  const itemIds: number[] = [];
  const hits: string[] = [];
  for (const engineHit of answer.hits) {
    // Highlighting a hit's long texts takes a millisecond, so let other requests run in between.
    if (isFormatted) await new Promise(setImmediate);
    const record = records.get(Number(engineHit.id));
    if (!record || record.state === "gone") continue;
    const whole = toMeiliHit(record, market, now);
    if (!passes(query.filter, filterValuesOf(whole, record))) continue;
    const hit = retrieved.includes("*") ? whole : picked(whole, retrieved);
    itemIds.push(record.itemId);
    hits.push(
      JSON.stringify({
        ...hit,
        ...(isFormatted ? { _formatted: toFormatted(whole, engineHit, tags, query) } : {}),
        ...(query.showRankingScore ? { _rankingScore: engineHit._rankingScore } : {}),
      }),
    );
  }
  return { itemIds, hits };
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

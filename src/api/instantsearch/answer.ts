import type { SearchAnswer } from "../../search/engine/answers.ts";
import {
  toInstantEngineQuery,
  type InstantQuery,
} from "../../search/instantsearch/instant-query.ts";
import { maxAnswerBytes, refuseTooLarge } from "../http/answer.ts";
import { maxDepth } from "../products/search/product-query.ts";
import { toFacets } from "./facets.ts";
import { readFound, writeHits, type MeiliDeps, type ParsedQuery } from "./hits/hits.ts";

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
      if (bytes > maxAnswerBytes) refuseTooLarge();
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

async function answerPart(deps: MeiliDeps, queries: readonly ParsedQuery[]): Promise<string[]> {
  const { readProducts, searchClient, demand } = deps;
  const { answers } = await searchClient.ask(
    queries.map(({ query }) => toInstantEngineQuery(query)),
  );
  const allHits = answers.flatMap((answer) => answer.hits);
  const records = await readFound(readProducts, allHits);
  const texts: string[] = [];
  for (const [i, one] of queries.entries()) {
    const answer = answers[i];
    if (!answer) throw new Error("fewer answers than queries");
    const found = answer.hits.map((engineHit) => ({ engineHit, one }));
    const { itemIds, hits } = await writeHits(deps, found, records);
    demand.shown(itemIds, offsetOf(one.query));
    const rest = {
      query: one.query.q,
      processingTimeMs: answer.processingTimeMs,
      ...toTotals(one, answer),
      ...(one.query.facets === null ? {} : toFacets(one.query.facets, answer)),
    };
    texts.push(`{"hits":[${hits.join(",")}],${JSON.stringify(rest).slice(1)}`);
  }
  return texts;
}

function offsetOf({ window }: InstantQuery): number {
  return "limit" in window ? window.offset : Math.max(0, window.page - 1) * window.hitsPerPage;
}

function toTotals({ query, page }: ParsedQuery, answer: SearchAnswer): Record<string, number> {
  const { window } = query;
  if ("limit" in window) {
    return { ...window, estimatedTotalHits: answer.estimatedTotalHits ?? 0 };
  }
  const totalHits = answer.totalHits ?? 0;
  const { hitsPerPage } = window;
  const pages = hitsPerPage === 0 ? 0 : Math.ceil(totalHits / hitsPerPage);
  const reachable = hitsPerPage === 0 ? 0 : Math.floor(maxDepth / hitsPerPage);
  return { hitsPerPage, page, totalPages: Math.min(pages, reachable), totalHits };
}

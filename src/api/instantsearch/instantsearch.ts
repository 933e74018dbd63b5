import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { SearchAnswer } from "../../search/engine/answers.ts";
import {
  type InstantQuery,
  toInstantEngineQuery,
} from "../../search/instantsearch/instant-query.ts";
import {
  answerOnce,
  type JsonOf,
  maxAnswerBytes,
  refuseTooLarge,
  sendOnce,
} from "../http/answer.ts";
import type { ApiDeps, ApiEnv, ApiContext } from "../http/deps.ts";
import { createMeiliFailureHandler, maxBodyBytes } from "../http/problems/instantsearch-problem.ts";
import type { Lanes } from "../http/lanes.ts";
import { boundedBody } from "../http/middleware/request-guards.ts";
import { maxDepth } from "../products/search/product-query.ts";
import type { multiSearchResult, searchResult } from "./answer-schema.ts";
import { readFound, writeHits, type MeiliDeps, type ParsedQuery } from "./hits/hits.ts";
import { checkWork } from "./request/bounds.ts";
import { searchFacet, toFacets } from "./facets.ts";
import { answerFederated, toWork } from "./federated.ts";
import { toFederatedQuery, toParsedQueries, toParsedQuery } from "./request/parse.ts";
import { toBodyFault } from "./request/request-fault.ts";
import * as routes from "./routes.ts";
import type { SearchBody } from "./request/to-query.ts";
import { readUrlQuery } from "./request/url-query.ts";

/** Meilisearch's read protocol, so that `@meilisearch/instant-meilisearch` works when pointed at `/meili`. */
export function meiliRoutes(deps: ApiDeps, lanes: Lanes) {
  const app = new OpenAPIHono<ApiEnv>({
    defaultHook: async (result, c) => {
      if (!result.success) throw toBodyFault(result.error, await c.req.json());
    },
  });
  app.onError(createMeiliFailureHandler(deps.logger));
  app.use("/meili/*", boundedBody(maxBodyBytes));

  function bounded<T>(c: ApiContext, asked: readonly InstantQuery[], work: () => Promise<T>) {
    const { isExpensive } = checkWork(asked);
    return isExpensive ? lanes.instantSearch(deps.clientAddress(c), work) : work();
  }

  async function answerOne(c: ApiContext, indexUid: string, body: SearchBody) {
    const one = toParsedQuery(indexUid, body);
    const [answer = "{}"] = await bounded(c, [one.query], () => answerMeili(deps, [one]));
    return asJson<typeof searchResult>(await sendOnce(c, answer));
  }

  return app
    .openapi(routes.multiSearchRoute, async (c) => {
      const { queries, federation } = c.req.valid("json");
      if (federation) {
        const asked = toFederatedQuery(queries, federation);
        const answer = await bounded(c, toWork(asked), () => answerFederated(deps, asked));
        return asJson<typeof multiSearchResult>(await sendOnce(c, answer));
      }
      const parsed = toParsedQueries(queries);
      const work = parsed.map(({ query }) => query);
      const answers = await bounded(c, work, () => answerMeili(deps, parsed));
      const results = answers.map((answer, i) => {
        const indexUid = JSON.stringify(parsed[i]?.indexUid);
        return `{"indexUid":${indexUid},${answer.slice(1)}`;
      });
      const text = `{"results":[${results.join(",")}]}`;
      return asJson<typeof multiSearchResult>(await sendOnce(c, text));
    })
    .openapi(routes.searchRoute, (c) =>
      answerOne(c, c.req.valid("param").index_uid, c.req.valid("json")),
    )
    .openapi(routes.urlSearchRoute, (c) => {
      const body = readUrlQuery(new URL(c.req.url).searchParams);
      return answerOne(c, c.req.valid("param").index_uid, body);
    })
    .openapi(routes.facetSearchRoute, async (c) => {
      const { facetName, facetQuery, exhaustiveFacetCount, ...body } = c.req.valid("json");
      const indexUid = c.req.valid("param").index_uid;
      const { query: search } = toParsedQuery(indexUid, { ...body, limit: 0 });
      const asked = {
        facetName,
        facetQuery: facetQuery ?? null,
        isExhaustive: exhaustiveFacetCount ?? false,
        search,
      };
      return answerOnce(c, await bounded(c, [search], () => searchFacet(deps.searchClient, asked)));
    })
    .openapi(routes.healthRoute, (c) =>
      c.json({ status: "available" as const }, 200, { "Cache-Control": "no-store" }),
    );
}

/** Safe: the response is JSON of this schema. */
function asJson<T extends z.ZodType>(response: Response) {
  return response as JsonOf<z.infer<T>>;
}

/** Requested hits to process at once; more would block the event loop for too long. */
const hitsAtOnce = 100;

/** One answer per query as JSON, in their order. All shown values are read from the catalogue. */
async function answerMeili(deps: MeiliDeps, queries: readonly ParsedQuery[]): Promise<string[]> {
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

import { OpenAPIHono, z, createRoute } from "@hono/zod-openapi";
import type { SearchAnswer } from "../../search/engine/answers.ts";
import {
  type InstantQuery,
  toInstantEngineQuery,
} from "../../search/instantsearch/instant-query.ts";
import { QueryFault } from "../../search/instantsearch/query-fault.ts";
import {
  answerOnce,
  type JsonOf,
  maxAnswerBytes,
  refuseTooLarge,
  sendOnce,
} from "../http/answer.ts";
import type { ApiDeps, ApiEnv, ApiContext, Middleware } from "../http/deps.ts";
import {
  createMeiliFailureHandler,
  maxBodyBytes,
  meiliProblemSchema,
  MeiliProblem,
} from "../http/problems/instantsearch-problem.ts";
import type { Lanes } from "../http/lanes.ts";
import { boundedBody } from "../http/middleware/request-guards.ts";
import { maxDepth } from "../products/search/product-query.ts";
import { json, jsonAnswer, publicRoute, requiredJson } from "../http/route.ts";
import { multiSearchResult, searchResult, facetSearchResult, health } from "./answer-schema.ts";
import { readFound, writeHits, type MeiliDeps, type ParsedQuery } from "./hits/hits.ts";
import { checkWork, mostWork } from "./request/bounds.ts";
import { searchFacet, toFacets } from "./facets.ts";
import { answerFederated, toWork } from "./federated.ts";
import { toFederatedQuery, toParsedQueries, toParsedQuery } from "./request/parse.ts";
import { toBodyFault } from "./request/request-fault.ts";
import type { SearchBody } from "./request/to-query.ts";
import { readUrlQuery, urlQuery } from "./request/url-query.ts";
import { meiliFacetSearch, meiliMultiSearch, meiliSearch } from "./request/request-schema.ts";

const content = json(meiliProblemSchema);

const fault = { 400: { description: "The first fault, in Meilisearch's format", content } };
const noIndex = { 404: { description: "There is no such index", content } };

const params = z.object({ index_uid: z.string().openapi({ example: "products" }) });

const bounds = `One request has at most ${mostWork.queries} queries, which together show at most ${mostWork.hits} hits, rank ${mostWork.depth} (offset and limit), compare with ${mostWork.conditions} values in filters and count ${mostWork.facets} facets; its body has at most ${maxBodyBytes} bytes and its answer ${maxAnswerBytes}. More is answered 400 (413 for the body) and names the bound. Large requests wait for one another, and are answered 503 when too many do.`;

/** Ignored beside a body, as by Meilisearch. */
const anyQuery = z.object({});

const multiSearchRoute = publicRoute("post /meili/multi-search", {
  operationId: "meiliMultiSearch",
  tags: ["instantsearch"],
  summary: "Several searches at once, for InstantSearch",
  description:
    "Meilisearch's read protocol over the index `products` (or `products:price:asc` and the like for an order), as of Meilisearch 1.21. All shown values are read from the catalogue. A parameter that cannot be honoured is refused. " +
    bounds,
  middleware: jsonBody(),
  request: { query: anyQuery, body: requiredJson(meiliMultiSearch) },
  responses: {
    200: jsonAnswer("One result for each query, or one list with `federation`", multiSearchResult),
    ...fault,
  },
});

const searchRoute = publicRoute("post /meili/indexes/{index_uid}/search", {
  operationId: "meiliSearch",
  tags: ["instantsearch"],
  summary: "One search, in Meilisearch's format",
  description: bounds,
  middleware: jsonBody(),
  request: { params, query: anyQuery, body: requiredJson(meiliSearch) },
  responses: { 200: jsonAnswer("The hits", searchResult), ...fault, ...noIndex },
});

const urlSearchRoute = publicRoute("get /meili/indexes/{index_uid}/search", {
  operationId: "meiliSearchByUrl",
  tags: ["instantsearch"],
  summary: "One search, with its parameters in the address",
  description: bounds,
  request: { params, query: urlQuery },
  responses: { 200: jsonAnswer("The hits", searchResult), ...fault, ...noIndex },
});

const facetSearchRoute = publicRoute("post /meili/indexes/{index_uid}/facet-search", {
  operationId: "meiliFacetSearch",
  tags: ["instantsearch"],
  summary: "Values of a facet by prefix, for searchable refinement lists",
  middleware: jsonBody(),
  request: { params, query: anyQuery, body: requiredJson(meiliFacetSearch) },
  responses: { 200: jsonAnswer("The values", facetSearchResult), ...fault, ...noIndex },
});

const healthRoute = createRoute({
  method: "get",
  path: "/meili/health",
  operationId: "meiliHealth",
  tags: ["instantsearch"],
  summary: "Whether searches are answered, in Meilisearch's format",
  responses: { 200: jsonAnswer("They are", health), ...fault },
});

/** Refuses a body that is no JSON, as Meilisearch does. The checked text is read again from memory. */
function jsonBody(): Middleware {
  return async (c, next) => {
    checkType(c);
    const text = await c.req.text();
    if (text === "") {
      throw new QueryFault("missing_payload", "A json payload is missing.");
    }
    checkJson(text);
    await next();
  };
}

const accepted = "Accepted values for the Content-Type header are: `application/json`";

function checkType(c: ApiContext): void {
  const type = c.req.header("Content-Type");
  if (type === undefined) {
    const message = `A Content-Type header is missing. ${accepted}`;
    throw new MeiliProblem(415, "missing_content_type", message);
  }
  const [media = ""] = type.split(";");
  if (media.trim().toLowerCase() === "application/json") return;
  const message = `The Content-Type \`${type.slice(0, 100).toWellFormed()}\` is invalid. ${accepted}`;
  throw new MeiliProblem(415, "invalid_content_type", message);
}

function checkJson(text: string): void {
  try {
    // Halves of a surrogate pair can only be written as escapes, so other texts need no second look.
    JSON.parse(text, /\\ud/i.test(text) ? refuseHalves : undefined);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200).toWellFormed() : "unreadable";
    throw new QueryFault(
      "malformed_payload",
      `The json payload provided is malformed. \`${why}\`.`,
    );
  }
}

function refuseHalves(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== "string" || value.isWellFormed())) return value;
  throw new SyntaxError("half of a surrogate pair");
}

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
    .openapi(multiSearchRoute, async (c) => {
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
    .openapi(searchRoute, (c) => answerOne(c, c.req.valid("param").index_uid, c.req.valid("json")))
    .openapi(urlSearchRoute, (c) => {
      const body = readUrlQuery(new URL(c.req.url).searchParams);
      return answerOne(c, c.req.valid("param").index_uid, body);
    })
    .openapi(facetSearchRoute, async (c) => {
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
    .openapi(healthRoute, (c) =>
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

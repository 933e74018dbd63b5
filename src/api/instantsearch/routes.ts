import { createRoute, z } from "@hono/zod-openapi";
import { maxAnswerBytes } from "../http/answer.ts";
import {
  maxBodyBytes,
  meiliProblemSchema,
  MeiliProblem,
} from "../http/problems/instantsearch-problem.ts";
import { json, jsonAnswer, publicRoute, requiredJson } from "../http/route.ts";
import { facetSearchResult, health, multiSearchResult, searchResult } from "./answer-schema.ts";
import { mostWork } from "./request/bounds.ts";
import { meiliFacetSearch, meiliMultiSearch, meiliSearch } from "./request/request-schema.ts";
import { urlQuery } from "./request/url-query.ts";
import type { ApiContext, Middleware } from "../http/deps.ts";
import { QueryFault } from "../../search/instantsearch/query-fault.ts";

const content = json(meiliProblemSchema);

const fault = { 400: { description: "The first fault, in Meilisearch's format", content } };
const noIndex = { 404: { description: "There is no such index", content } };

const params = z.object({ index_uid: z.string().openapi({ example: "products" }) });

const bounds = `One request has at most ${mostWork.queries} queries, which together show at most ${mostWork.hits} hits, rank ${mostWork.depth} (offset and limit), compare with ${mostWork.conditions} values in filters and count ${mostWork.facets} facets; its body has at most ${maxBodyBytes} bytes and its answer ${maxAnswerBytes}. More is answered 400 (413 for the body) and names the bound. Large requests wait for one another, and are answered 503 when too many do.`;

/** Ignored beside a body, as by Meilisearch. */
const anyQuery = z.object({});

export const multiSearchRoute = publicRoute("post /meili/multi-search", {
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

export const searchRoute = publicRoute("post /meili/indexes/{index_uid}/search", {
  operationId: "meiliSearch",
  tags: ["instantsearch"],
  summary: "One search, in Meilisearch's format",
  description: bounds,
  middleware: jsonBody(),
  request: { params, query: anyQuery, body: requiredJson(meiliSearch) },
  responses: { 200: jsonAnswer("The hits", searchResult), ...fault, ...noIndex },
});

export const urlSearchRoute = publicRoute("get /meili/indexes/{index_uid}/search", {
  operationId: "meiliSearchByUrl",
  tags: ["instantsearch"],
  summary: "One search, with its parameters in the address",
  description: bounds,
  request: { params, query: urlQuery },
  responses: { 200: jsonAnswer("The hits", searchResult), ...fault, ...noIndex },
});

export const facetSearchRoute = publicRoute("post /meili/indexes/{index_uid}/facet-search", {
  operationId: "meiliFacetSearch",
  tags: ["instantsearch"],
  summary: "Values of a facet by prefix, for searchable refinement lists",
  middleware: jsonBody(),
  request: { params, query: anyQuery, body: requiredJson(meiliFacetSearch) },
  responses: { 200: jsonAnswer("The values", facetSearchResult), ...fault, ...noIndex },
});

export const healthRoute = createRoute({
  method: "get",
  path: "/meili/health",
  operationId: "meiliHealth",
  tags: ["instantsearch"],
  summary: "Whether searches are answered, in Meilisearch's format",
  responses: { 200: jsonAnswer("They are", health), ...fault },
});

/** Refuses a body that is no JSON, as Meilisearch does. The checked text is read again from memory. */
export function jsonBody(): Middleware {
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

import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import type { ZodError } from "zod";
import { bodyLimit } from "hono/body-limit";
import { fromFacetKey } from "../../search/index/facet-key.ts";
import { filterAttributes } from "../../search/instantsearch/filter-attributes.ts";
import { toInstantEngineQuery } from "../../search/instantsearch/instant-query.ts";
import { normalise } from "../../search/index/normalise.ts";
import { answerOnce, maxAnswerBytes, sendOnce } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import type { Lanes } from "../http/lanes.ts";
import { answerMeili, type ParsedQuery } from "./answer.ts";
import { checkWork, mostWork } from "./bounds.ts";
import {
  createMeiliFailureHandler,
  maxBodyBytes,
  MeiliProblem,
  meiliProblemSchema,
} from "../http/instantsearch-problem.ts";
import {
  meiliFacetSearch,
  meiliMultiSearch,
  meiliSearch,
  readIndexUid,
  toInstantQuery,
  type MeiliSearchBody,
} from "./schema.ts";
import { json } from "../http/schema-parts.ts";

const params = z.object({ index_uid: z.string().openapi({ example: "products" }) });
const answered = {
  200: {
    description: "As Meilisearch answers it",
    content: json(z.record(z.string(), z.unknown())),
  },
  "4XX": {
    description: "The fault, in Meilisearch's format",
    content: json(meiliProblemSchema),
  },
  503: {
    description: "Not available now; `Retry-After` says after how many seconds to try again",
    content: json(meiliProblemSchema),
  },
};
const body = <T extends z.ZodType>(schema: T) => ({ required: true, content: json(schema) });

const bounds = `One request has at most ${mostWork.queries} queries, which together show at most ${mostWork.hits} hits, rank ${mostWork.depth} (offset and limit), compare with ${mostWork.conditions} values in filters and count ${mostWork.facets} facets; its body has at most ${maxBodyBytes} bytes and its answer ${maxAnswerBytes}. More is answered 400 (413 for the body) and names the bound. Large requests wait for one another, and are answered 503 when too many do.`;

const multiSearchRoute = createRoute({
  method: "post",
  path: "/meili/multi-search",
  operationId: "meiliMultiSearch",
  tags: ["instantsearch"],
  summary: "Several searches at once, for InstantSearch",
  description:
    "Meilisearch's read protocol over the index `products` (or `products:price:asc` and the like for an order). All shown values are read from the catalogue. Only the fields, filters, facets and orders named here exist. " +
    bounds,
  request: { body: body(meiliMultiSearch) },
  responses: answered,
});

const searchRoute = createRoute({
  method: "post",
  path: "/meili/indexes/{index_uid}/search",
  operationId: "meiliSearch",
  tags: ["instantsearch"],
  summary: "One search, in Meilisearch's format",
  description: bounds,
  request: { params, body: body(meiliSearch) },
  responses: answered,
});

const facetSearchRoute = createRoute({
  method: "post",
  path: "/meili/indexes/{index_uid}/facet-search",
  operationId: "meiliFacetSearch",
  tags: ["instantsearch"],
  summary: "Values of a facet by prefix, for searchable refinement lists",
  request: { params, body: body(meiliFacetSearch) },
  responses: answered,
});

const searchableFacets = ["shop_id", "categories", "category"];

type Deps = Pick<
  ApiDeps,
  "readProducts" | "clock" | "searchClient" | "market" | "logger" | "demand" | "clientAddress"
>;

/** Meilisearch's read protocol, so that `@meilisearch/instant-meilisearch` works when pointed at `/meili`. */
export function meiliRoutes(deps: Deps, lanes: Lanes) {
  const app = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw toBadRequest(result.error);
    },
  });
  app.onError(createMeiliFailureHandler(deps.logger));
  app.use("/meili/*", bodyLimit({ maxSize: maxBodyBytes }));

  async function answerAll(c: Context<ApiEnv>, queries: readonly ParsedQuery[]): Promise<string[]> {
    const { isExpensive } = checkWork(queries.map(({ query }) => query));
    const work = () => answerMeili(deps, queries);
    return isExpensive ? lanes.instantSearch(deps.clientAddress(c), work) : work();
  }

  return app
    .openapi(multiSearchRoute, async (c) => {
      const queries = c.req
        .valid("json")
        .queries.map(({ indexUid, ...query }) => toParsedQuery(indexUid, query));
      return asJson(await sendOnce(c, `{"results":[${(await answerAll(c, queries)).join(",")}]}`));
    })
    .openapi(searchRoute, async (c) => {
      const { index_uid: indexUid } = c.req.valid("param");
      const query = { ...toParsedQuery(indexUid, c.req.valid("json")), indexUid: null };
      const [answer = "{}"] = await answerAll(c, [query]);
      return asJson(await sendOnce(c, answer));
    })
    .openapi(facetSearchRoute, async (c) => {
      const { facetName, facetQuery, exhaustiveFacetCount, ...query } = c.req.valid("json");
      const order = readIndexUid(c.req.valid("param").index_uid);
      const searched = toInstantQuery(query, order);
      checkWork([searched]);
      const { q, locales, matchingStrategy, filter, attributesToSearchOn } = toInstantEngineQuery(
        searched,
      ) satisfies Record<string, unknown>;
      const answer = await deps.searchClient.facetSearch({
        facetName: toFacetAttribute(facetName),
        facetQuery: normalise(facetQuery ?? ""),
        q,
        locales,
        matchingStrategy,
        ...(filter === undefined ? {} : { filter }),
        ...(attributesToSearchOn === undefined ? {} : { attributesToSearchOn }),
        ...(exhaustiveFacetCount === undefined ? {} : { exhaustiveFacetCount }),
      });
      const facetHits = answer.facetHits.map((hit) => ({ ...hit, value: fromFacetKey(hit.value) }));
      return answerOnce(c, {
        facetHits: withWhole(facetHits, facetQuery ?? ""),
        facetQuery: facetQuery ?? null,
        processingTimeMs: answer.processingTimeMs,
      });
    });
}

/** Safe: the response is the JSON of an object. */
function asJson(response: Response) {
  return response as Response & TypedResponse<Record<string, never>, 200, "json">;
}

function toParsedQuery(indexUid: string, body: MeiliSearchBody): ParsedQuery {
  return { indexUid, query: toInstantQuery(body, readIndexUid(indexUid)), body };
}

function toFacetAttribute(name: string): string {
  const attribute = searchableFacets.includes(name) ? filterAttributes.get(name) : undefined;
  if (attribute) return attribute.engine;
  throw new MeiliProblem(
    400,
    "invalid_facet_search_facet_name",
    `\`${name}\` is not one of: ${searchableFacets.join(", ")}.`,
  );
}

/**
 * The engine looks up only the first word, which in お茶 is お, and so also finds お菓子. If some values
 * contain the whole text, the others are left out.
 */
function withWhole<T extends { value: string }>(hits: T[], typed: string): T[] {
  const folded = (text: string) => normalise(text).toLowerCase();
  const whole = hits.filter(({ value }) => folded(value).includes(folded(typed)));
  return whole.length > 0 ? whole : hits;
}

function toBadRequest(error: ZodError): MeiliProblem {
  const [issue] = error.issues;
  const where = issue?.path.map(String).join(".").slice(0, 100) ?? "";
  return new MeiliProblem(
    400,
    "bad_request",
    `Invalid value${where === "" ? "" : ` at \`.${where}\``}: ${issue?.message ?? "unreadable"}`,
  );
}

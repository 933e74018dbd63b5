import { createRoute } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import type { ProductQuery } from "../../search/query/query.ts";
import { sendText } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { isExpensive, largeSearches, type Lanes } from "../http/lanes.ts";
import { productQuery, toSearch } from "./product-query.ts";
import { badRequest, unavailable } from "../http/problem.ts";
import { json } from "../http/schema-parts.ts";
import { createSearchAnswerer } from "./search-answer.ts";
import { searchSchema, type SearchBody } from "./search-schema.ts";
import { createRoutes } from "../http/validation.ts";

const route = createRoute({
  method: "get",
  path: "/v1/products",
  operationId: "searchProducts",
  tags: ["products"],
  summary: "Search products across all shops",
  description: `The index finds and orders the products; price, stock and existence are read from the catalogue at answer time. ${largeSearches}`,
  request: { query: productQuery },
  responses: {
    200: { description: "A page", content: json(searchSchema) },
    ...badRequest,
    ...unavailable,
  },
});

export function productsRoutes(
  deps: Pick<
    ApiDeps,
    | "logger"
    | "db"
    | "replica"
    | "cache"
    | "clock"
    | "search"
    | "shopNames"
    | "readProducts"
    | "market"
    | "demand"
    | "clientAddress"
  >,
  lanes: Lanes,
) {
  const { demand, clientAddress } = deps;
  const answerTo = createSearchAnswerer(deps);
  return createRoutes().openapi(route, async (c) => {
    const parameters = c.req.valid("query");
    const query = toSearch(parameters);
    const search = () => answerTo(query, parameters.fields);
    const answer = await (isExpensive(query) ? lanes.search(clientAddress(c), search) : search());
    demand.shown(answer.itemIds, (query.page - 1) * query.perPage);
    if (answer.found === 0 && isWordsAlone(query)) {
      demand.foundNothing(query.q ?? "", clientAddress(c));
    }
    // Safe: the text is the JSON of a SearchBody, or a 304 for it.
    return (await sendText(c, answer)) as Response & TypedResponse<SearchBody, 200, "json">;
  });
}

const presentation = new Set([
  "q",
  "match",
  "sort",
  "page",
  "perPage",
  "group",
  "facets",
  "facetLimit",
  "priceHistogram",
]);

/** Whether a search has only words, so that an empty result is caused by the words. */
export function isWordsAlone(query: ProductQuery): boolean {
  return Object.entries(query).every(
    ([name, value]) => presentation.has(name) || (Array.isArray(value) && value.length === 0),
  );
}

import { z } from "@hono/zod-openapi";
import { searchableFacets } from "../../../search/query/facet-values.ts";
import { answer } from "../../http/answer.ts";
import type { ApiDeps } from "../../http/deps.ts";
import type { Lanes } from "../../http/lanes.ts";
import { choiceParam, integerParam, orElse, textParam } from "../../http/parameters.ts";
import { publicRoute, jsonAnswer, createRoutes, strict, textOrNull } from "../../http/route.ts";
import { answerParts, facetValueSchema, shopValueSchema, withLabel } from "./search-schema.ts";
import { productQuery, priceRule, toSearch } from "./product-query.ts";

const params = strict({ name: choiceParam(searchableFacets) });

const {
  q,
  page: _,
  per_page: _perPage,
  facets: _facets,
  fields: _fields,
  ...restrictions
} = productQuery.shape;

const query = strict({
  q: orElse(textParam(200), "", {
    description:
      "what the values begin with, in any spelling (width, case, kana); of shops their name or id. Empty: any value",
    example: "バ",
  }),
  query: q.describe("the words of the search: `q` of GET /v1/products"),
  ...restrictions,
  facet_limit: orElse(integerParam(1, 100), 20, {
    description: "most values, the most frequent ones",
  }),
}).superRefine(...priceRule);

const foundSchema = z
  .object({
    name: z.enum(searchableFacets),
    q: z.string(),
    items: z
      .array(z.union([shopValueSchema, facetValueSchema]))
      .describe("most frequent first; those of `shop_id` have a label"),
    exact: z
      .boolean()
      .describe(
        "false: values are missing that `facet_limit` did not leave out, or counts are too low",
      ),
    corrected: textOrNull("what was searched in place of `query`, as in GET /v1/products"),
    ...answerParts,
  })
  .openapi("FacetValues");

const route = publicRoute("get /v1/facets/{name}", {
  operationId: "searchFacetValues",
  tags: ["products"],
  summary: "Values of one facet by their beginning, with counts",
  description:
    "For filter menus with a search box. Takes the parameters of GET /v1/products except those for paging, and counts what `found` counts there, without the restriction by this facet; `sort` has no effect.",
  request: { params, query },
  responses: { 200: jsonAnswer("Values", foundSchema) },
});

export function facetRoutes(
  { clock, facetValues, shopNames, clientAddress }: ApiDeps,
  lanes: Lanes,
) {
  return createRoutes().openapi(route, async (c) => {
    const startedMs = clock.monotonicMs();
    const { name } = c.req.valid("param");
    const { q: prefix, query: words, facet_limit: limit, ...rest } = c.req.valid("query");
    const search = toSearch({ ...rest, ...everything, q: words });
    const found = await lanes.search(search, clientAddress(c), () =>
      facetValues({ facet: name, prefix, limit, query: search }),
    );
    const names =
      name === "shop_id" ? await shopNames(found.values.map(({ value }) => value)) : null;
    const lasting = {
      name,
      q: prefix,
      items: names ? found.values.map((shop) => withLabel(shop, names)) : found.values,
      exact: found.exact,
      corrected: found.corrected,
      engine: found.engine,
      degraded: found.degraded,
      warnings: found.warnings,
    };
    const body = { ...lasting, took_ms: Math.round(clock.monotonicMs() - startedMs) };
    return answer(c, body, lasting);
  });
}

/** The parameters that only pages of products have. */
const everything = {
  sort: "relevance" as const,
  page: 1,
  per_page: 1,
  facets: [],
  fields: [],
  facet_limit: undefined,
};

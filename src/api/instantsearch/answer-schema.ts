import { z } from "@hono/zod-openapi";
import { currencySchema, instantSchema, webUrlSchema } from "../http/route.ts";
import { imageSchema, productUrlText } from "../products/product-schema.ts";

const hit = z
  .object({
    id: z.int(),
    item_id: z.int(),
    title: z.string(),
    detail: z.string(),
    url: webUrlSchema.describe(productUrlText),
    price: z.int(),
    currency: currencySchema,
    proper_price: z.int().nullable(),
    discount_percent: z.int(),
    stock: z.int(),
    in_stock: z.boolean(),
    on_sale: z.boolean(),
    identifier: z.string().nullable(),
    gtins: z.array(z.string()),
    image: webUrlSchema,
    images: z.array(imageSchema.partial()),
    shop_id: z.string(),
    shop_name: z.string(),
    shop_url: webUrlSchema,
    categories: z.array(z.string()),
    category: z.array(z.string()).describe("the same as `categories`"),
    popularity: z.number(),
    modified: z.int(),
    first_seen: z.int().describe("Unix seconds"),
    checked_at: instantSchema,
    age_s: z.int(),
  })
  .partial()
  .extend({
    _formatted: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "the retrieved, highlighted and cropped attributes as texts, with matches between the tags; if these are markup, the rest is escaped HTML",
      ),
    _matchesPosition: z
      .record(
        z.string(),
        z.array(
          z.object({ start: z.int(), length: z.int(), indices: z.array(z.int()).optional() }),
        ),
      )
      .optional()
      .describe("in bytes"),
    _rankingScore: z.number().optional(),
    _rankingScoreDetails: z.record(z.string(), z.unknown()).optional(),
    _vectors: z.object({}).optional().describe("there are none"),
  })
  .openapi("MeilisearchHit", {
    description:
      "what `attributesToRetrieve` names; prices and stock are read from the catalogue when the search is answered",
  });

const counts = z.record(z.string(), z.record(z.string(), z.int()));
const stats = z.record(z.string(), z.object({ min: z.number(), max: z.number() }));
const processingTimeMs = z.int();

const resultShape = {
  hits: z.array(hit),
  query: z.string(),
  processingTimeMs,
  offset: z.int().optional(),
  limit: z.int().optional().describe("as asked, but at most 200"),
  estimatedTotalHits: z.int().optional(),
  page: z.int().optional().describe("instead of `offset` if pages were asked for"),
  hitsPerPage: z.int().optional(),
  totalPages: z.int().optional(),
  totalHits: z.int().optional(),
  facetDistribution: counts.optional(),
  facetStats: stats.optional(),
};

const example = {
  hits: [{ id: 100003, title: "手作りの革財布", price: 4200 }],
  query: "革財布",
  processingTimeMs: 4,
  limit: 1,
  offset: 0,
  estimatedTotalHits: 133,
};

export const searchResult = z.object(resultShape).openapi("MeilisearchResult", { example });

const multiResult = z
  .object({
    results: z.array(
      z.object({ indexUid: z.string(), ...resultShape }).openapi("MeilisearchMultiPart"),
    ),
  })
  .openapi("MeilisearchMultiResult", {
    example: { results: [{ indexUid: "products", ...example }] },
  });

const federatedResult = z
  .object({
    hits: z.array(
      hit
        .extend({
          _federation: z.object({
            indexUid: z.string(),
            queriesPosition: z.int(),
            weightedRankingScore: z.number(),
          }),
        })
        .openapi("MeilisearchFederatedHit"),
    ),
    processingTimeMs,
    offset: z.int(),
    limit: z.int(),
    estimatedTotalHits: z.int(),
    facetsByIndex: z.record(z.string(), z.object({ distribution: counts, stats })).optional(),
    facetDistribution: counts.optional().describe("with `mergeFacets`"),
    facetStats: stats.optional(),
  })
  .openapi("MeilisearchFederatedResult", {
    example: {
      hits: [
        {
          id: 100003,
          title: "手作りの革財布",
          _federation: { indexUid: "products", queriesPosition: 0, weightedRankingScore: 0.97 },
        },
      ],
      processingTimeMs: 4,
      limit: 1,
      offset: 0,
      estimatedTotalHits: 133,
    },
  });

export const multiSearchResult = z.union([multiResult, federatedResult]);

export const facetSearchResult = z
  .object({
    facetHits: z.array(z.object({ value: z.string(), count: z.int() })),
    facetQuery: z.string().nullable(),
    processingTimeMs,
  })
  .openapi("MeilisearchFacetResult", {
    example: {
      facetHits: [{ value: "バッグ", count: 41 }],
      facetQuery: "バ",
      processingTimeMs: 1,
    },
  });

export const health = z
  .object({ status: z.literal("available") })
  .openapi("MeilisearchHealth", { example: { status: "available" } });

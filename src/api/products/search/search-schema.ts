import { z } from "@hono/zod-openapi";
import { foundProductSchema } from "../product-schema.ts";
import { currencySchema, freshnessSchema, textOrNull } from "../../http/route.ts";
import type { FacetValue } from "../../../search/query/query.ts";

export const facetValueSchema = z
  .object({ value: z.string(), count: z.int() })
  .openapi("FacetValue");

const label = z.string().describe("the shop's name, at most 30 s old");

export const shopValueSchema = facetValueSchema.extend({ label }).openapi("ShopFacetValue");

const priceFacetSchema = z
  .object({
    min: z.number(),
    max: z.number(),
    histogram: z
      .array(z.object({ from: z.int(), to: z.int(), count: z.int() }))
      .describe(
        "at most ten adjoining ranges with both ends included, as in price_min and price_max; equal steps where all prices are within a factor of ten, growing ones otherwise. With `group` a row counts in each range in which it has an offer",
      ),
  })
  .openapi("PriceFacet", {
    example: {
      min: 300,
      max: 4200,
      histogram: [
        { from: 200, to: 499, count: 12 },
        { from: 500, to: 999, count: 40 },
        { from: 1000, to: 1999, count: 61 },
        { from: 2000, to: 4999, count: 20 },
      ],
    },
  });

/** A shop that is not known any more is called by its id. */
export function withLabel(
  shop: FacetValue,
  names: ReadonlyMap<string, string>,
): z.infer<typeof shopValueSchema> {
  return { ...shop, label: names.get(shop.value) ?? shop.value };
}

const selectedProductSchema = foundProductSchema
  .partial()
  .required({ item_id: true })
  .openapi("SelectedProduct", { description: "With `fields`: the members that it names" });

const facetValues = z.array(facetValueSchema);
const isExact = z.boolean();

/** Members of every search answer. */
export const answerParts = {
  took_ms: z.int(),
  engine: z.enum(["meilisearch", "postgres"]).describe("which engine found the products"),
  degraded: z
    .boolean()
    .describe("true: the search engine does not answer, and Postgres replaces it"),
  warnings: z.array(z.string()).describe("what was left out or approximated"),
};

export const searchSchema = z
  .object({
    found: z
      .int()
      .describe(
        "products that have every word, or rows if they are grouped. Facets count these, and pages begin with them",
      ),
    partially_found: z
      .int()
      .describe(
        "products that follow because they have most of the words; rare words weigh most. At most 100; none if `found` fills a page or `match` is `all`",
      ),
    corrected: textOrNull(
      "what was searched in place of `q`, because no product has one of its words as typed, or all of them with words like `cheap` that say nothing about a product; quotes around a word keep it",
    ),
    found_exact: z
      .boolean()
      .describe(
        "false: there are at least `found`, for example because of other forms of the words only the best are read",
      ),
    page: z.int(),
    per_page: z.int(),
    currency: currencySchema,
    ...answerParts,
    freshness: freshnessSchema.describe("ages of the returned items; null without items"),
    mirror_lag_s: z
      .number()
      .describe(
        "how long the oldest change has been waiting to become searchable; 0 if Postgres searched",
      ),
    items: z
      .array(z.union([foundProductSchema, selectedProductSchema]))
      .describe("whole products, or with `fields` parts of them"),
    facets: z
      .object({
        shop_id: z.array(shopValueSchema),
        category: facetValues,
        condition: facetValues,
        colour: facetValues,
        size: facetValues,
        in_stock: facetValues,
        price: priceFacetSchema,
      })
      .partial()
      .openapi({
        example: {
          category: [{ value: "バッグ", count: 41 }],
          shop_id: [{ value: "shop-1", count: 12, label: "革工房" }],
        },
        description:
          "the requested facets over all products that `found` counts (never those of `partially_found`; of `corrected`, where there is one), each without its own filter; price is absent if nothing is found",
      }),
    facets_exact: z
      .object({
        shop_id: isExact,
        category: isExact,
        condition: isExact,
        colour: isExact,
        size: isExact,
        price: isExact,
        in_stock: isExact,
      })
      .partial()
      .describe(
        "false: values are missing that `facet_limit` did not leave out, or counts are too low",
      ),
  })
  .openapi("ProductSearchResult");

export type SearchBody = z.infer<typeof searchSchema>;

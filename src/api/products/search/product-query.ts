import { z } from "@hono/zod-openapi";
import { conditionKinds } from "../../../matching/titles/attributes.ts";
import { colourNames } from "../../../matching/titles/words.ts";
import { foldText } from "../../../matching/titles/fold.ts";
import { given } from "../../../lib/given.ts";
import { maxValuesPerFacet } from "../../../search/index/settings.ts";
import {
  groupings,
  productFacets,
  productSorts,
  type ProductQuery,
} from "../../../search/query/query.ts";
import {
  booleanParam,
  choiceParam,
  depthRule,
  gtinParam,
  integerParam,
  limitParam,
  orElse,
  repeatedChoice,
  repeatedParam,
  ruleOf,
  textParam,
} from "../../http/parameters.ts";
import { foundProductSchema } from "../product-schema.ts";
import { strict } from "../../http/route.ts";

/** The last product of a result that can be reached by paging. */
export const maxDepth = 10_000;

/** The members of an item that `fields` can name. */
const fieldNames = Object.keys(foundProductSchema.shape);

/** As long as ids and names of the upstream are stored. */
const maxNameChars = 2000;

const maxPrice = 1_000_000_000_000;
const name = textParam(maxNameChars).refine((text) => text !== "", "must not be empty");
const maxSizeChars = 40;
const size = textParam(maxSizeChars).refine((text) => text.trim() !== "", "must not be empty");

export const names = (description: string) =>
  repeatedParam(name, { maxLength: maxNameChars }, { description });

/** For `superRefine`. */
export const priceRule = [
  (
    {
      price_min: min,
      price_max: max,
    }: { price_min?: number | undefined; price_max?: number | undefined },
    ctx: z.RefinementCtx,
  ) => {
    if (min === undefined || max === undefined || min <= max) return;
    ctx.addIssue({ code: "custom", path: ["price_min"], message: "must not exceed price_max" });
  },
  ruleOf("price_min", "price_max"),
] as const;

export const productQuery = strict({
  q: textParam(200).optional().openapi({
    description:
      '`-word` excludes, `"…"` is a phrase; other words also find their plural, other spellings, and near misses',
    example: "革財布",
  }),
  match: orElse(choiceParam(["all", "most"]), "most", {
    description:
      "all: only products that have every word; most: if these do not fill a page, products follow that have most of them",
  }),
  shop_id: names("any of these shops"),
  exclude_shop_id: names("none of these shops"),
  category: names("in any of these categories"),
  gtin: repeatedParam(gtinParam(), {}, { description: "products with any of these barcodes" }),
  price_min: integerParam(0, maxPrice).optional(),
  price_max: integerParam(0, maxPrice).optional(),
  in_stock: booleanParam().optional(),
  on_sale: booleanParam().optional(),
  condition: repeatedChoice(conditionKinds, {
    description:
      "whose title tells one of these conditions; most new products tell none. state: a grade from a to d",
    example: ["used", "refurbished"],
  }),
  colour: repeatedChoice(colourNames, {
    description: "whose title tells one of these colours, in whatever language",
    example: ["black"],
  }),
  size: repeatedParam(
    size,
    { maxLength: maxSizeChars },
    {
      description: "whose title tells one of these sizes, in upper or lower case, also full width",
      example: ["xl"],
    },
  ),
  max_age_s: integerParam(0, 1_000_000_000)
    .optional()
    .describe("only products that were checked within this many seconds"),
  sort: orElse(choiceParam(productSorts), "relevance", {
    description:
      "relevance: products in stock come first, in the order of how well they match. unit_price:asc compares the price of 100 g, 100 ml or 1 piece, so choose goods of one kind; products without one come last. first_seen:desc: newest first",
  }),
  page: orElse(integerParam(1, maxDepth), 1),
  per_page: limitParam(100, 20),
  facets: repeatedChoice(productFacets, {
    commas: true,
    description:
      "repeated or separated by commas; each is counted without its own filter, so that values besides the chosen ones have counts too",
  }),
  facet_limit: integerParam(1, 100)
    .optional()
    .describe(
      `most values of each facet, the most frequent ones; ${maxValuesPerFacet} unless told`,
    ),
  group: choiceParam(groupings)
    .optional()
    .describe(
      "one row per comparable product. product: products of one group, see `/v1/groups`; gtin: products with the same smallest GTIN. `found` and facets count rows: a row counts once for each value that one of its found offers has. The row shows the first of them, `offers` sums up all found offers, and `group` the whole group, whatever was searched for",
    ),
  fields: repeatedChoice(fieldNames, {
    commas: true,
    description:
      "only these members of the items, besides item_id; repeated or separated by commas",
  }),
})
  .superRefine(...priceRule)
  .superRefine(
    ...depthRule(
      maxDepth,
      `page × per_page must not exceed ${maxDepth}; to get everything, split the search by shop_id or by price_min and price_max until each part finds fewer`,
    ),
  );

export function toSearch(query: z.output<typeof productQuery>): ProductQuery {
  return {
    shopIds: query.shop_id,
    excludeShopIds: query.exclude_shop_id,
    categories: query.category,
    gtins: query.gtin,
    conditions: query.condition,
    colours: query.colour,
    sizes: query.size.map((text) => foldText(text).trim()),
    sort: query.sort,
    page: query.page,
    perPage: query.per_page,
    facets: [...new Set(query.facets)],
    ...(query.facets.includes("price") ? { priceHistogram: true } : {}),
    ...(query.match === "all" ? { match: query.match } : {}),
    ...given({
      q: query.q,
      facetLimit: query.facet_limit,
      priceMin: query.price_min,
      priceMax: query.price_max,
      inStock: query.in_stock,
      onSale: query.on_sale,
      maxAgeSeconds: query.max_age_s,
      group: query.group,
    }),
  };
}

import { z } from "@hono/zod-openapi";
import {
  currencySchema,
  instantSchema,
  webUrlSchema,
  orNull,
  intOrNull,
  textOrNull,
} from "../http/route.ts";
import type { Low, Lows } from "../../catalog/history/lows.ts";
import { toIso } from "../http/to-members.ts";

export const productUrlText =
  "where the product is sold; null if no http or https address is known. `/go/{item_id}` leads there and counts the click";

export const imageSchema = z
  .object({
    origin: webUrlSchema,
    "76": webUrlSchema,
    "146": webUrlSchema,
    "300": webUrlSchema,
    "500": webUrlSchema,
    "640": webUrlSchema,
    sp_480: webUrlSchema,
    sp_640: webUrlSchema,
  })
  .openapi("Image", {
    description: "URL by size; null if a size is missing or not an http or https address",
  });

const variationSchema = z
  .object({
    variation_id: z.int(),
    variation: z.string(),
    variation_stock: z.int(),
    variation_identifier: z.string().nullable(),
    barcode: z.string().nullable(),
  })
  .openapi("Variation");

export const unitPriceSchema = z
  .object({
    amount: z
      .number()
      .positive()
      .openapi({ description: "of one `per`, rounded to 2 decimals", example: 62.5 }),
    per: z.enum(["100 g", "1 kg", "100 ml", "1 l", "1 piece"]).openapi({
      description: "for up to 250 g (ml) 100 g (ml), above that 1 kg (l)",
      example: "1 l",
    }),
    quantity: z
      .object({
        value: z.number().positive().openapi({ example: 12000 }),
        unit: z.enum(["g", "ml", "piece"]).openapi({ example: "ml" }),
      })
      .describe("what the package holds, all its parts together"),
  })
  .openapi("UnitPrice", {
    description:
      "read from title and variations; null stands where they say nothing sure: no content, a range, two readings that disagree, or variations of different contents",
  });

const reductionSchema = z
  .object({
    percent: z.int().min(0).max(100).openapi({ description: "rounded down", example: 18 }),
    basis: z.literal("proper_price"),
    low_30d: z.int().nullable().openapi({
      description:
        "the lowest price confirmed in the 30 days before the present price was first seen; null: none, or no other price is known",
      example: 12000,
    }),
    holds: z
      .boolean()
      .nullable()
      .describe(
        "whether the price is below low_30d; null: those days were not looked at often enough, that is, the product was first seen within them, or more than 7 days passed between two checks",
      ),
  })
  .openapi("Reduction", {
    description: "null stands where the price is not below proper_price",
  });

export const lowestPriceText =
  "of its offers in stock, or of all if none is; an offer with a `condition` (used, refurbished …) counts only if all of these have one; null: no price is known";
export const lowestUsedPriceText =
  "of those of them with a `condition`; null: there is none. A condition that no title tells is not known";

export const groupSchema = z
  .object({
    group_id: z.int().openapi({ description: "of `GET /v1/groups/{group_id}`", example: 512 }),
    offers: z.int().min(2).openapi({ description: "products of it that are sold now", example: 3 }),
    lowest_price: intOrNull(lowestPriceText),
    lowest_used_price: intOrNull(lowestUsedPriceText),
  })
  .openapi("ProductGroup", {
    description:
      "the same product in several shops, by barcode, model, text or decision of people; null: no other offer of it is known",
  });

const attributesSchema = z
  .object({
    quantity: z
      .number()
      .nullable()
      .describe("content of one piece in `unit`; null: not said, or not clear"),
    unit: z.string().nullable(),
    pack: intOrNull("pieces in the pack; null: one"),
    models: z.array(z.string()).describe("as wh-1000xm4"),
    colours: z.array(z.string()).describe("English names"),
    size: z.string().nullable(),
    condition: z
      .string()
      .nullable()
      .describe("used, refurbished, opened, graded or state with the grade; null: not said"),
    edition: z.string().nullable().describe("as limited"),
  })
  .openapi("ProductAttributes", {
    description:
      "what the title tells, in lower case, read in the background; null: the title was not read yet",
  });

export const productSchema = z
  .object({
    item_id: z.int(),
    title: z.string().describe("text as the shop wrote it, not HTML"),
    detail: z.string().describe("text as the shop wrote it, not HTML"),
    url: webUrlSchema.openapi({
      description: productUrlText,
      example: "https://shop-1.example/items/100003",
    }),
    price: z
      .int()
      .describe(
        "tax included, in whole units of `currency`. 0: the shop states no price. Such a product comes last in price:asc, price:desc and discount:desc, matches no price_min, price_max or on_sale=true, and is in no lowest price, low, price facet, reduction or unit price",
      ),
    currency: currencySchema,
    proper_price: z.int().nullable(),
    discount_percent: z
      .int()
      .describe("reduction from proper_price, rounded down; 0 without a reduction"),
    unit_price: orNull(unitPriceSchema),
    reduction: orNull(reductionSchema),
    group: orNull(groupSchema),
    attributes: orNull(attributesSchema),
    stock: z.int(),
    in_stock: z.boolean(),
    identifier: z.string().nullable(),
    gtins: z.array(z.string()).describe("valid barcodes of its variations"),
    images: z.array(imageSchema).describe("only the slots in use"),
    variations: z.array(variationSchema),
    shop: z.object({ shop_id: z.string(), shop_name: z.string(), shop_url: webUrlSchema }),
    categories: z.array(z.string()),
    modified: z.int().describe("the upstream's raw integer"),
    modified_at: instantSchema.nullable().describe("null if the unit of `modified` cannot be told"),
    first_seen_at: instantSchema,
    checked_at: instantSchema.describe("when the upstream last showed the product"),
    age_s: z.int().describe("seconds since checked_at; not part of the ETag"),
    price_since: instantSchema.describe(
      "when the present price, proper price and stock were first seen",
    ),
  })
  .openapi("Product");

export type ProductBody = z.infer<typeof productSchema>;
export type ImageBody = z.infer<typeof imageSchema>;

const offerGroupSchema = z
  .object({
    gtin: textOrNull("with `group=gtin`; null: the product has none and is not grouped"),
    count: z.int(),
    in_stock: z.int(),
    shops: z.int(),
    lowest_price: z
      .int()
      .describe(
        "of those with a price; one with a `condition` (used, refurbished …) counts only if every one has one; 0: none has a price",
      ),
    highest_price: z.int().describe("as lowest_price"),
    lowest_used_price: z
      .int()
      .describe("of those with a price and a `condition`; 0: there is none"),
  })
  .openapi("OfferGroup", { description: "the found offers of this product; with `group`" });

export const foundProductSchema = productSchema
  .extend({
    offers: offerGroupSchema.optional(),
    match: z
      .enum(["all", "partial"])
      .describe(
        "all: has every word of `q`; partial: lacks some, follows where the others do not fill a page of 20 or more",
      ),
    missing_words: z
      .array(z.string())
      .optional()
      .describe("of a partial match: the words it lacks, as typed"),
    highlights: z.object({
      title: z.string().openapi({
        description: "HTML: escaped text, matches in <em>; as indexed",
        example: "手作りの<em>革財布</em> 赤",
      }),
    }),
  })
  .openapi("FoundProduct");

export type FoundProductBody = z.infer<typeof foundProductSchema>;

type Kind = "boolean" | "integer" | "number" | "text" | "json";

/** The members of a Product that do not depend on when it is read, in their order. */
export const productColumns: readonly { name: string; kind: Kind }[] = Object.entries(
  productSchema.omit({ age_s: true }).shape,
).map(([name, schema]) => ({ name, kind: kindOf(schema) }));

function kindOf(schema: unknown): Kind {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return kindOf(schema.unwrap());
  if (schema instanceof z.ZodNumberFormat) return "integer";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "text";
  return "json";
}

const lowSchema = z
  .object({
    price: z.int(),
    at: instantSchema.describe("since when it was so low; may be before the period"),
    observations: z
      .int()
      .describe(
        "checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day",
      ),
  })
  .nullable();

export const lowsSchema = z
  .object({ all: lowSchema, "1y": lowSchema, "90d": lowSchema, "30d": lowSchema })
  .describe(
    "lowest price above 0 seen in each period that ends now, also one that a single check saw; null if none was seen",
  );

export function toLows(lows: Lows): z.infer<typeof lowsSchema> {
  const toLow = (low: Low | null) => low && { ...low, at: toIso(low.at) };
  return {
    all: toLow(lows.all),
    "1y": toLow(lows["1y"]),
    "90d": toLow(lows["90d"]),
    "30d": toLow(lows["30d"]),
  };
}

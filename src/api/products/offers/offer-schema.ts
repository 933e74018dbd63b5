import { z } from "@hono/zod-openapi";
import type { Market } from "../../../catalog/market.ts";
import { matchKinds } from "../../../db/schema/matching.ts";
import {
  maxOffers,
  type Covered,
  type OfferRecord,
  maxOffersInBatch,
} from "../../../catalog/offers.ts";
import { toUnitPrice } from "../../../catalog/unit-price/unit-price.ts";
import { toWebUrl } from "../../../lib/safe-url.ts";
import { discountPercent } from "../../../search/index/document.ts";
import { groupSchema, imageSchema, productUrlText, unitPriceSchema } from "../product-schema.ts";
import {
  currencySchema,
  instantSchema,
  orNull,
  webUrlSchema,
  intOrNull,
  textOrNull,
} from "../../http/route.ts";
import { toPrintedGtin } from "../../../catalog/gtin.ts";
import { toIso } from "../../http/to-members.ts";
import { ageSeconds, toImage } from "../to-product.ts";

const offerMatchSchema = z
  .object({
    kind: z
      .enum(matchKinds)
      .describe(
        "gtin: a common barcode; model: the same model number in both texts; text: texts that say the same; manual: decided by people",
      ),
    score: z.number().min(0).max(1).openapi({
      description: "how sure that is, 1 for a barcode or a decision of people",
      example: 1,
    }),
  })
  .openapi("OfferMatch", {
    description: "why this is the same product; null: nothing links it to another offer",
  });

export const offerSchema = z
  .object({
    item_id: z.int(),
    title: z.string().describe("text as the shop wrote it, not HTML"),
    shop: z.object({ shop_id: z.string(), shop_name: z.string(), shop_url: webUrlSchema }),
    url: webUrlSchema.describe(productUrlText),
    price: z.int().describe("tax included; all variations of a product cost the same"),
    currency: currencySchema,
    proper_price: z.int().nullable(),
    discount_percent: z.int(),
    unit_price: orNull(unitPriceSchema),
    variation: z
      .object({
        variation_id: z.int(),
        variation: z.string(),
        variation_identifier: z.string().nullable(),
      })
      .nullable()
      .describe("null: the whole product"),
    gtin: textOrNull("of the variation; of a whole product the only one that its variations have"),
    stock: z.int().describe("of the variation, if there is one"),
    in_stock: z.boolean(),
    condition: textOrNull(
      "as in `attributes`, such as used: such offers are of the same product, and may be the cheapest; null: not said",
    ),
    match: orNull(offerMatchSchema),
    image: orNull(imageSchema),
    checked_at: instantSchema,
    age_s: z.int().describe("seconds since checked_at; not part of the ETag"),
  })
  .openapi("Offer");

export const coverageSchema = z
  .object({
    matched: z.int().describe("offers found, including those left out"),
    shown: z.int(),
    max_age_s: intOrNull("the requested age"),
    checked_within: intOrNull(
      "how many shown offers were checked within max_age_s; null without max_age_s",
    ),
    oldest_s: intOrNull("greatest age shown"),
    left_out: z
      .object({ out_of_stock: z.int(), unknown_price: z.int(), gone: z.int() })
      .describe("out_of_stock only with in_stock=true; gone: deleted by the shop"),
    complete: z
      .boolean()
      .describe(
        `false: there are more than the ${maxOffers} (${maxOffersInBatch} where many products are asked for) that are read; these are the cheapest in stock`,
      ),
  })
  .openapi("OfferCoverage");

export const offersSchema = z
  .object({
    match: z
      .object({
        by: z
          .enum(["gtin", "group"])
          .describe(
            "gtin: barcodes, where the product has some, and its group, if there is one; group: its group alone",
          ),
        gtins: z.array(z.string()),
      })
      .nullable()
      .describe(
        "what identifies the offers as the same product, see also `match` of each; null: nothing",
      ),
    match_note: textOrNull("why there is no match, for people; null if there is one"),
    coverage: coverageSchema,
    offers: z.array(offerSchema).describe("one per product and variation, cheapest in stock first"),
  })
  .openapi("Offers");

export const similarSchema = z
  .array(offerSchema)
  .describe(
    "products that resemble it, most alike first, and may or may not be the same: never compare their prices as those of one product. At most 12, with known prices; `match` says how alike they are",
  );

export const productOffersSchema = offersSchema
  .extend({ group: orNull(groupSchema), similar: similarSchema })
  .openapi("ProductOffers");

export type OffersBody = z.infer<typeof offersSchema>;
export type ProductOffersBody = z.infer<typeof productOffersSchema>;

export function toOffers(
  covered: Covered,
  params: {
    gtin14s: readonly string[];
    isGrouped: boolean;
    maxAgeSeconds: number | null;
    market: Market;
    now: Date;
  },
): OffersBody {
  const { market, now, maxAgeSeconds } = params;
  const offers = covered.offers.map((offer) => toOffer(offer, market, now));
  const gtins = params.gtin14s.map(toPrintedGtin);
  const isMatched = gtins.length > 0 || params.isGrouped;
  return {
    match: isMatched ? { by: gtins.length > 0 ? "gtin" : "group", gtins } : null,
    match_note: isMatched
      ? null
      : "this product has no valid GTIN, and no product of another shop is known to be the same",
    coverage: toCoverage(covered, offers, maxAgeSeconds),
    offers,
  };
}

export function toCoverage(
  { leftOut, matched, isComplete }: Covered,
  offers: OffersBody["offers"],
  maxAgeSeconds: number | null,
): OffersBody["coverage"] {
  const ages = offers.map((offer) => offer.age_s);
  return {
    matched,
    shown: offers.length,
    max_age_s: maxAgeSeconds,
    checked_within:
      maxAgeSeconds === null ? null : ages.filter((age) => age <= maxAgeSeconds).length,
    oldest_s: ages.length === 0 ? null : Math.max(...ages),
    left_out: leftOut,
    complete: isComplete,
  };
}

/** The answer without ages, which change with time. */
export function withoutAges<T extends Pick<OffersBody, "coverage" | "offers">>(
  body: T & { similar?: OffersBody["offers"] },
): T {
  const ageless = (offers: OffersBody["offers"]) => offers.map((offer) => ({ ...offer, age_s: 0 }));
  return {
    ...body,
    coverage: { ...body.coverage, oldest_s: null },
    offers: ageless(body.offers),
    ...(body.similar ? { similar: ageless(body.similar) } : {}),
  };
}

export function toOffer(
  offer: OfferRecord,
  market: Market,
  now: Date,
): z.infer<typeof offerSchema> {
  const { variation, shop } = offer;
  return {
    item_id: offer.itemId,
    title: offer.title,
    shop: { shop_id: shop.shopId, shop_name: shop.shopName, shop_url: toWebUrl(shop.shopUrl) },
    url: market.urlOf(offer),
    price: offer.price,
    currency: market.currency,
    proper_price: offer.properPrice,
    discount_percent: discountPercent(offer.price, offer.properPrice),
    unit_price: toUnitPrice({ ...offer, variations: variation ? [variation] : [] }),
    variation: variation && {
      variation_id: variation.variationId,
      variation: variation.variation,
      variation_identifier: variation.variationIdentifier,
    },
    gtin: offer.gtin === null ? null : toPrintedGtin(offer.gtin),
    stock: offer.stock,
    in_stock: offer.inStock,
    condition: offer.condition,
    match: offer.match && { ...offer.match, score: Math.round(offer.match.score * 1000) / 1000 },
    image: offer.image && toImage(offer.image),
    checked_at: toIso(offer.checkedAt),
    age_s: ageSeconds(offer, now),
  };
}

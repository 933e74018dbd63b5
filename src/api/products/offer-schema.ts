import { z } from "@hono/zod-openapi";
import type { Market } from "../../catalog/market.ts";
import { maxOffers, type Covered, type OfferRecord } from "../../catalog/offers.ts";
import { maxOffersInBatch } from "../../catalog/offer-batches.ts";
import { toUnitPrice } from "../../catalog/unit-price.ts";
import { toWebUrl } from "../../lib/safe-url.ts";
import { discountPercent } from "../../search/index/document.ts";
import { imageSchema, productUrlText, unitPriceSchema } from "./product-schema.ts";
import { currencySchema, instantSchema, orNull, webUrlSchema } from "../http/schema-parts.ts";
import { ageSeconds, toImage, toIso, toPrintedGtin } from "./to-product.ts";

export const offerSchema = z
  .object({
    item_id: z.int(),
    title: z.string().openapi({ description: "text as the shop wrote it, not HTML" }),
    shop: z.object({ shop_id: z.string(), shop_name: z.string(), shop_url: webUrlSchema }),
    url: webUrlSchema.openapi({ description: productUrlText }),
    price: z
      .int()
      .openapi({ description: "tax included; all variations of a product cost the same" }),
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
      .openapi({ description: "null: the whole product" }),
    gtin: z.string().nullable(),
    stock: z.int().openapi({ description: "of the variation, if there is one" }),
    in_stock: z.boolean(),
    image: orNull(imageSchema),
    checked_at: instantSchema,
    age_s: z.int().openapi({ description: "seconds since checked_at; not part of the ETag" }),
  })
  .openapi("Offer");

export const coverageSchema = z
  .object({
    matched: z.int().openapi({ description: "offers found, including those left out" }),
    shown: z.int(),
    max_age_s: z.int().nullable().openapi({ description: "the requested age" }),
    checked_within: z.int().nullable().openapi({
      description: "how many shown offers were checked within max_age_s; null without max_age_s",
    }),
    oldest_s: z.int().nullable().openapi({ description: "greatest age shown" }),
    left_out: z
      .object({ out_of_stock: z.int(), unknown_price: z.int(), gone: z.int() })
      .openapi({ description: "out_of_stock only with in_stock=true; gone: deleted by the shop" }),
    complete: z.boolean().openapi({
      description: `false: there are more than the ${maxOffers} (${maxOffersInBatch} where many products are asked for) that are read; these are the cheapest in stock`,
    }),
  })
  .openapi("OfferCoverage");

export const offersSchema = z
  .object({
    match: z
      .object({ by: z.literal("gtin"), gtins: z.array(z.string()) })
      .nullable()
      .openapi({ description: "what identifies the offers as the same product; null: nothing" }),
    match_note: z
      .string()
      .nullable()
      .openapi({ description: "why there is no match, for people; null if there is one" }),
    coverage: coverageSchema,
    offers: z
      .array(offerSchema)
      .openapi({ description: "one per product and variation, cheapest in stock first" }),
  })
  .openapi("Offers");

export type OffersBody = z.infer<typeof offersSchema>;

export function toOffers(
  covered: Covered,
  params: {
    gtin14s: readonly string[];
    maxAgeSeconds: number | null;
    market: Market;
    now: Date;
  },
): OffersBody {
  const { market, now, maxAgeSeconds } = params;
  const offers = covered.offers.map((offer) => toOffer(offer, market, now));
  const ages = offers.map((offer) => offer.age_s);
  const { leftOut, matched, isComplete } = covered;
  const isMatched = params.gtin14s.length > 0;
  return {
    match: isMatched ? { by: "gtin", gtins: params.gtin14s.map(toPrintedGtin) } : null,
    match_note: isMatched
      ? null
      : "this product has no valid GTIN, so nothing says which products of other shops are the same",
    coverage: {
      matched,
      shown: offers.length,
      max_age_s: maxAgeSeconds,
      checked_within:
        maxAgeSeconds === null ? null : ages.filter((age) => age <= maxAgeSeconds).length,
      oldest_s: ages.length === 0 ? null : Math.max(...ages),
      left_out: leftOut,
      complete: isComplete,
    },
    offers,
  };
}

/** The answer without ages, which change with time. */
export function withoutAges(body: OffersBody): OffersBody {
  return {
    ...body,
    coverage: { ...body.coverage, oldest_s: null },
    offers: body.offers.map((offer) => ({ ...offer, age_s: 0 })),
  };
}

function toOffer(offer: OfferRecord, market: Market, now: Date): z.infer<typeof offerSchema> {
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
    image: offer.image && toImage(offer.image),
    checked_at: toIso(offer.checkedAt),
    age_s: ageSeconds(offer, now),
  };
}

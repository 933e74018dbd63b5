import type { RowOf } from "../db/row-of.ts";
import type { MatchKind } from "../db/schema/matching.ts";
import type { ImageSlot } from "../db/schema.ts";
import type { ProductRecord } from "./products.ts";

/** One shop's price for one variation of a product, or for a whole product. */
export interface OfferRecord {
  itemId: number;
  title: string;
  /** Tax included. */
  price: number;
  properPrice: number | null;
  /** null: the whole product. */
  variation: OfferedVariation | null;
  /** As GTIN-14: of the variation, or the only one of a whole product. */
  gtin: string | null;
  /** Those of the variation, if there is one. */
  stock: number;
  inStock: boolean;
  image: ImageSlot | null;
  checkedAt: Date;
  shop: ProductRecord["shop"];
  /** Why it is the same product; null: nothing links it to another. */
  match: OfferMatch | null;
}

export interface OfferMatch {
  kind: MatchKind;
  /** 0 to 1; 1 for a barcode or a decision of people. */
  score: number;
}

export interface OfferedVariation {
  variationId: number;
  variation: string;
  variationIdentifier: string | null;
}

/** A barcode that a thousand products share is a placeholder, not a product. */
export const maxOffers = 1000;

export type OfferRow = RowOf<Omit<OfferRecord, "variation" | "shop" | "match">> &
  RowOf<ProductRecord["shop"]> & {
    variation_id: number | null;
    variation: string;
    variation_identifier: string | null;
    kind: MatchKind | null;
    score: number;
  };

export function toOffer(row: OfferRow): OfferRecord {
  return {
    itemId: row.item_id,
    title: row.title,
    price: row.price,
    properPrice: row.proper_price,
    variation:
      row.variation_id === null
        ? null
        : {
            variationId: row.variation_id,
            variation: row.variation,
            variationIdentifier: row.variation_identifier,
          },
    gtin: row.gtin,
    stock: row.stock,
    inStock: row.in_stock,
    image: row.image,
    checkedAt: new Date(row.checked_at),
    shop: { shopId: row.shop_id, shopName: row.shop_name, shopUrl: row.shop_url },
    match: row.kind === null ? null : { kind: row.kind, score: row.score },
  };
}

export type LeftOut = "out_of_stock" | "unknown_price" | "gone";

/** The offers to show, cheapest in stock first, and how many are left out by reason (the first that applies). */
export interface Covered {
  offers: OfferRecord[];
  leftOut: Record<LeftOut, number>;
  /** Those shown, those left out, and those beyond the bound. */
  matched: number;
  isComplete: boolean;
}

export function onlyInStock(covered: Covered): Covered {
  const offers = covered.offers.filter((offer) => offer.inStock);
  const outOfStock = covered.offers.length - offers.length;
  return { ...covered, offers, leftOut: { ...covered.leftOut, out_of_stock: outOfStock } };
}

import { sql } from "drizzle-orm";
import { textList } from "../db/lists.ts";
import type { Db } from "../db/open.ts";
import type { RowOf } from "../db/row-of.ts";
import type { ImageSlot } from "../db/schema.ts";
import type { ProductRecord } from "./products.ts";

/** One shop's price for one variation of a product, or for a whole product without GTINs of its variations. */
export interface OfferRecord {
  itemId: number;
  isDeleted: boolean;
  title: string;
  /** Tax included; 0 if the shop states none. */
  price: number;
  properPrice: number | null;
  /** null: the whole product. */
  variation: OfferedVariation | null;
  /** As GTIN-14. */
  gtin: string | null;
  /** Of the variation, if there is one. */
  stock: number;
  inStock: boolean;
  image: ImageSlot | null;
  checkedAt: Date;
  shop: ProductRecord["shop"];
}

export interface OfferedVariation {
  variationId: number;
  variation: string;
  variationIdentifier: string | null;
}

/** A barcode that a thousand products share is a placeholder, not a product. */
export const maxOffers = 1000;

export type OfferRow = RowOf<
  Omit<OfferRecord, "isDeleted" | "variation" | "shop"> & OfferedVariation & OfferRecord["shop"]
> & { is_gone: boolean };

/** Of `variation v`, `product p` and `shop s`. */
export const offerColumns = sql`
  p.item_id, p.state = 'gone' as is_gone, p.title, p.price, p.proper_price, v.variation_id,
  v.variation, v.variation_identifier, v.gtin, v.variation_stock as stock,
  v.variation_stock > 0 and p.stock > 0 as in_stock,
  jsonb_path_query_first(p.images, '$[*] ? (@ != null)') as image, p.checked_at,
  s.shop_id, s.shop_name, s.shop_url`;

/**
 * Every product and variation with one of these barcodes (GTIN-14), deleted ones included: first those
 * in stock, cheapest first; at most `maxOffers`. A variation is in stock if both it and its product
 * are, because a refresh shows only the product's stock.
 */
export async function readOffers(db: Db, gtins: readonly string[]): Promise<OfferRecord[]> {
  const rows = await db.execute<OfferRow>(sql`
    select ${offerColumns}
    from variation v join product p using (item_id) join shop s using (shop_id)
    where v.gtin in ${textList(gtins)}
    order by is_gone, in_stock desc, p.price = 0, p.price, p.item_id, v.variation_id
    limit ${maxOffers}`);
  return rows.map(toOffer);
}

export function toOffer(row: OfferRow): OfferRecord {
  return {
    itemId: row.item_id,
    isDeleted: row.is_gone,
    title: row.title,
    price: row.price,
    properPrice: row.proper_price,
    variation: {
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
  };
}

/** The product itself as the only offer, when nothing identifies the same product in other shops. */
export function toOwnOffer(product: ProductRecord): OfferRecord {
  return {
    itemId: product.itemId,
    isDeleted: product.state === "gone",
    title: product.title,
    price: product.price,
    properPrice: product.properPrice,
    variation: null,
    gtin: null,
    stock: product.stock,
    inStock: product.stock > 0,
    image: product.images.find((slot) => slot !== null) ?? null,
    checkedAt: product.checkedAt,
    shop: product.shop,
  };
}

export type LeftOut = "out_of_stock" | "unknown_price" | "gone";

export interface Covered {
  offers: OfferRecord[];
  leftOut: Record<LeftOut, number>;
  /** Those shown, those left out, and those beyond the bound. */
  matched: number;
  isComplete: boolean;
}

/** The offers to show, in the given order, and how many are left out by reason (the first that applies). */
export function coverOffers(
  matched: readonly OfferRecord[],
  wanted: { inStockOnly: boolean },
): Covered {
  const leftOut = { out_of_stock: 0, unknown_price: 0, gone: 0 };
  const offers = matched.filter((offer) => {
    const reason = reasonToLeaveOut(offer, wanted.inStockOnly);
    if (reason) leftOut[reason] += 1;
    return reason === null;
  });
  return { offers, leftOut, matched: matched.length, isComplete: matched.length < maxOffers };
}

function reasonToLeaveOut(offer: OfferRecord, inStockOnly: boolean): LeftOut | null {
  if (offer.isDeleted) return "gone";
  if (offer.price <= 0) return "unknown_price";
  return inStockOnly && !offer.inStock ? "out_of_stock" : null;
}

import { toGtin14, toPrintedGtin } from "../../catalog/gtin.ts";
import { toModifiedAt } from "../../catalog/modified.ts";
import type { Market } from "../../catalog/market.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { toUnitPrice } from "../../catalog/unit-price.ts";
import type { ImageSlot } from "../../db/schema.ts";
import { toWebUrl } from "../../lib/safe-url.ts";
import { discountPercent } from "../../search/index/document.ts";
import type { ImageBody, ProductBody } from "./product-schema.ts";

export { toPrintedGtin };

export function toProduct(record: ProductRecord, market: Market, now: Date): ProductBody {
  return {
    ...toPlainMembers(record, market),
    unit_price: toUnitPrice(record),
    reduction: record.reduction && {
      percent: discountPercent(record.price, record.properPrice),
      basis: "proper_price",
      low_30d: record.reduction.low30d,
      holds: record.reduction.holds,
    },
    group: toGroup(record.group),
    attributes: record.attributes,
    images: record.images.flatMap((slot) => (slot ? [toImage(slot)] : [])),
    variations: record.variations.map((v) => ({
      variation_id: v.variation_id,
      variation: v.variation,
      variation_stock: v.variation_stock,
      variation_identifier: v.variation_identifier,
      barcode: v.barcode,
    })),
    shop: {
      shop_id: record.shop.shopId,
      shop_name: record.shop.shopName,
      shop_url: toWebUrl(record.shop.shopUrl),
    },
    categories: record.categories,
    modified: record.modified,
    modified_at: toIso(toModifiedAt(record.modified, now)),
    first_seen_at: toIso(record.firstSeenAt),
    checked_at: toIso(record.checkedAt),
    age_s: ageSeconds(record, now),
    price_since: toIso(record.priceSince),
  };
}

/** The members that are the same in a product and in a hit of InstantSearch. */
export function toPlainMembers(record: ProductRecord, market: Market) {
  return {
    item_id: record.itemId,
    title: record.title,
    detail: record.detail,
    url: market.urlOf(record),
    price: record.price,
    currency: market.currency,
    proper_price: record.properPrice,
    discount_percent: discountPercent(record.price, record.properPrice),
    stock: record.stock,
    in_stock: record.stock > 0,
    identifier: record.identifier,
    gtins: [...gtin14sOf(record)].map(toPrintedGtin),
  };
}

export function toGroup(group: ProductRecord["group"]): ProductBody["group"] {
  if (!group) return null;
  return { group_id: group.groupId, offers: group.offers, lowest_price: group.lowestPrice };
}

export function ageSeconds(record: Pick<ProductRecord, "checkedAt">, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - record.checkedAt.getTime()) / 1000));
}

/** ISO 8601 in UTC, without a zero fraction. */
export function toIso(instant: Date): string;
export function toIso(instant: Date | null): string | null;
export function toIso(instant: Date | null): string | null {
  return instant === null ? null : instant.toISOString().replace(".000Z", "Z");
}

export function toImage(slot: ImageSlot): ImageBody {
  return {
    origin: toWebUrl(slot.origin),
    "76": toWebUrl(slot["76"]),
    "146": toWebUrl(slot["146"]),
    "300": toWebUrl(slot["300"]),
    "500": toWebUrl(slot["500"]),
    "640": toWebUrl(slot["640"]),
    sp_480: toWebUrl(slot.sp_480),
    sp_640: toWebUrl(slot.sp_640),
  };
}

export function gtin14sOf(record: Pick<ProductRecord, "variations">): Set<string> {
  return new Set(record.variations.flatMap((v) => toGtin14(v.barcode) ?? []));
}

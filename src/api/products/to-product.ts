import { gtin14sOf, toPrintedGtin } from "../../catalog/gtin.ts";
import { toModifiedAt } from "../../catalog/observing/modified.ts";
import type { Market } from "../../catalog/market.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { toUnitPrice } from "../../catalog/unit-price/unit-price.ts";
import type { ImageSlot } from "../../db/schema.ts";
import { toWebUrl } from "../../lib/safe-url.ts";
import { discountPercent } from "../../search/index/document.ts";
import { toIso } from "../http/to-members.ts";
import type { FoundProduct } from "../../search/query/product-search.ts";
import type { FoundProductBody, ImageBody, ProductBody } from "./product-schema.ts";

export function toProduct(record: ProductRecord, market: Market, now: Date): ProductBody {
  // Twenty times as fast as a spread followed by so many members (see `toRecord` in `catalog/products.ts`).
  return Object.assign(toPlainMembers(record, market), {
    unit_price: toUnitPrice(record),
    reduction: record.reduction && {
      percent: discountPercent(record.price, record.properPrice),
      basis: "proper_price" as const,
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
  });
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
  return {
    group_id: group.groupId,
    offers: group.offers,
    lowest_price: group.lowestPrice,
    lowest_used_price: group.lowestUsedPrice,
  };
}

export function ageSeconds(record: Pick<ProductRecord, "checkedAt">, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - record.checkedAt.getTime()) / 1000));
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

/** The members of an item that belong to this search; the product is the same in all answers. */
export interface ItemExtra {
  itemId: number;
  /** As JSON, without the opening brace. */
  json: string;
}

export function toItemExtra({ record, offers, highlights, missingWords }: FoundProduct): ItemExtra {
  const members: ExtraMembers = {
    ...(offers === undefined ? {} : { offers }),
    ...(missingWords.length === 0
      ? { match: "all" as const }
      : { match: "partial" as const, missing_words: [...missingWords] }),
    highlights,
  };
  return { itemId: record.itemId, json: JSON.stringify(members).slice(1) };
}

type ExtraMembers = Pick<FoundProductBody, "offers" | "match" | "missing_words" | "highlights">;

/** An item as JSON. `fields`: the members besides item_id; empty for all. */
export function writeItem(
  record: ProductRecord,
  extra: ItemExtra,
  { fields, market, now }: { fields: readonly string[]; market: Market; now: Date },
): string {
  const { beforeAge, afterAge } = wholeOf(record, market, now);
  const item = `${beforeAge}${ageSeconds(record, now)}${afterAge},${extra.json}`;
  if (fields.length === 0) return item;
  const whole: object = JSON.parse(item);
  const kept = new Set(["item_id", ...fields]);
  return JSON.stringify(
    Object.fromEntries(Object.entries(whole).filter(([name]) => kept.has(name))),
  );
}

/** A product as JSON, without the age and the closing brace. */
interface TimedJson {
  beforeAge: string;
  afterAge: string;
}

/** Cached as long as the record exists. */
const wholes = new WeakMap<ProductRecord, TimedJson>();

function wholeOf(record: ProductRecord, market: Market, now: Date): TimedJson {
  let whole = wholes.get(record);
  if (!whole) {
    const json = JSON.stringify(Object.assign(toProduct(record, market, now), { age_s: 0 }));
    // Unique in the JSON, because quotes inside texts are escaped.
    const [before = "", after = ""] = json.split('"age_s":0');
    whole = { beforeAge: `${before}"age_s":`, afterAge: after.slice(0, -1) };
    wholes.set(record, whole);
  }
  return whole;
}

import type { Market } from "../../../catalog/market.ts";
import type { ProductRecord } from "../../../catalog/products.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { toWebUrl } from "../../../lib/safe-url.ts";
import { isOnSale } from "../../../search/index/document.ts";
import { gtin14sOf } from "../../../catalog/gtin.ts";
import { toIso } from "../../http/to-members.ts";
import { ageSeconds, toImage, toPlainMembers } from "../../products/to-product.ts";

export type MeiliHit = Record<string, unknown>;

/** A product for front ends: flat, with the names that filters, facets and sort orders use. */
export function toMeiliHit(record: ProductRecord, market: Market, now: Date): MeiliHit {
  const images = record.images.flatMap((slot) => (slot ? [toImage(slot)] : []));
  return Object.assign({ id: record.itemId }, toPlainMembers(record, market), {
    on_sale: isOnSale(record),
    image: images[0]?.origin ?? null,
    images,
    shop_id: record.shop.shopId,
    shop_name: record.shop.shopName,
    shop_url: toWebUrl(record.shop.shopUrl),
    categories: record.categories,
    category: record.categories,
    popularity: record.popularity,
    modified: record.modified,
    first_seen: Math.floor(record.firstSeenAt.getTime() / 1000),
    checked_at: toIso(record.checkedAt),
    age_s: ageSeconds(record, now),
  });
}

/** The values that filters compare with, by the index's names. */
export function filterValuesOf(hit: MeiliHit, record: ProductRecord): (name: string) => string[] {
  const values = new Map(
    Object.entries({
      ...hit,
      gtins: [...gtin14sOf(record)],
      // A price of 0 is none, as in the index.
      ...(record.price > 0 ? {} : { price: null, discount_percent: null }),
    }),
  );
  return (name) => {
    const value = values.get(name);
    return value === null || value === undefined ? [] : [value].flat().map(String);
  };
}

/** The attributes with these names; `images.origin` names one inside another, `*` all. */
export function picked(hit: MeiliHit, names: readonly string[]): MeiliHit {
  if (names.includes("*")) return hit;
  const members = Object.entries(hit).flatMap(([name, value]) => {
    if (names.includes(name)) return [[name, value]];
    const inner = names.flatMap((each) =>
      each.startsWith(`${name}.`) ? [each.slice(name.length + 1)] : [],
    );
    const part = inner.length === 0 ? undefined : pickedInside(value, inner);
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(members);
}

function pickedInside(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const parts = value.flatMap((one) => pickedInside(one, names) ?? []);
    return parts.length === 0 && value.length > 0 ? undefined : parts;
  }
  if (!isRecord(value)) return undefined;
  const part = picked(value, names);
  return Object.keys(part).length === 0 ? undefined : part;
}

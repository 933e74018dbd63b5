import type { Market } from "../../catalog/market.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { markedNames, type InstantQuery } from "../../search/instantsearch/instant-query.ts";
import { isRecord } from "../../lib/is-record.ts";
import {
  highlightClose,
  highlightOpen,
  normalise,
  withoutMarks,
} from "../../search/index/normalise.ts";
import { escapeHtml } from "../products/found-products.ts";
import { toWebUrl } from "../../lib/safe-url.ts";
import { ageSeconds, gtin14sOf, toImage, toIso, toPlainMembers } from "../products/to-product.ts";

export type MeiliHit = Record<string, unknown>;

/** A product for front ends: flat, with the names that filters, facets and sort orders use. */
export function toMeiliHit(record: ProductRecord, market: Market, now: Date): MeiliHit {
  const images = record.images.flatMap((slot) => (slot ? [toImage(slot)] : []));
  return {
    id: record.itemId,
    ...toPlainMembers(record, market),
    on_sale: record.properPrice !== null && record.properPrice > record.price,
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
  };
}

/** The values that filters compare with, by the index's names. */
export function filterValuesOf(hit: MeiliHit, record: ProductRecord): (name: string) => string[] {
  const values = new Map(Object.entries({ ...hit, gtins: [...gtin14sOf(record)] }));
  return (name) => {
    const value = values.get(name);
    return value === null || value === undefined ? [] : [value].flat().map(String);
  };
}

export interface Tags {
  open: string;
  close: string;
}

/**
 * All texts of the hit, with matches between the front end's tags. If the tags are markup, the result
 * is HTML, so shops' texts are escaped. With other tags (InstantSearch's own) it is plain text, which
 * InstantSearch escapes itself.
 */
export function toFormatted(
  hit: MeiliHit,
  engineHit: Record<string, unknown>,
  tags: Tags,
  query: InstantQuery,
): MeiliHit {
  const isHtml = /[<>&"']/.test(tags.open + tags.close);
  const written = (text: string) =>
    (isHtml ? escapeHtml(text) : text)
      .replaceAll(highlightOpen, tags.open)
      .replaceAll(highlightClose, tags.close);
  const plain = (text: string) => written(withoutMarks(text));
  const marked = markedTexts(engineHit, hit, query);
  const formatted: MeiliHit = {};
  for (const [name, value] of Object.entries(hit)) {
    const text = marked.get(name);
    formatted[name] = text === undefined ? formatValue(value, plain) : written(text);
  }
  return formatted;
}

function formatValue(value: unknown, written: (text: string) => string): unknown {
  if (typeof value === "string") return written(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map((part) => formatValue(part, written));
  return value;
}

/** The index's highlighted texts, if the catalogue still has the same text. */
function markedTexts(
  engineHit: Record<string, unknown>,
  hit: MeiliHit,
  query: InstantQuery,
): Map<string, string> {
  const { _formatted: formatted } = engineHit;
  const marked = new Map<string, string>();
  if (!isRecord(formatted)) return marked;
  for (const name of markedNames) {
    const text = formatted[name];
    const current = hit[name];
    if (typeof text !== "string" || typeof current !== "string") continue;
    let plain = withoutMarks(text);
    if (query.cropMarker !== "") plain = plain.replaceAll(query.cropMarker, "");
    if (
      normalise(current)
        .replaceAll(query.cropMarker || "\0", "")
        .includes(plain)
    ) {
      marked.set(name, text);
    }
  }
  return marked;
}

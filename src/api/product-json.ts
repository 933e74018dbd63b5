import type { ProductRecord } from "../catalog/products.ts";
import type { FoundProduct } from "./found-products.ts";
import { ageSeconds, toProduct } from "./to-product.ts";

/** An item as JSON, written but for the one number that changes by itself. */
export interface TimedJson {
  checkedAt: Date;
  beforeAge: string;
  /** null where the item's age was not asked for, and `beforeAge` is all. */
  afterAge: string | null;
}

/** `fields`: the members besides item_id, empty for all. */
export function toTimedJson(found: FoundProduct, fields: readonly string[], now: Date): TimedJson {
  const { record, offers, highlights } = found;
  if (fields.length > 0) {
    const kept = new Set(["item_id", ...fields]);
    const whole = { ...toUnaged(record, now), ...(offers ? { offers } : {}), highlights };
    const members = Object.entries(whole).filter(([name]) => kept.has(name));
    return cutAtAge(record, JSON.stringify(Object.fromEntries(members)));
  }
  const { beforeAge, afterAge } = wholeOf(record, now);
  const group = offers === undefined ? "" : `,"offers":${JSON.stringify(offers)}`;
  const rest = afterAge?.slice(0, -1);
  return {
    checkedAt: record.checkedAt,
    beforeAge,
    afterAge: `${rest}${group},"highlights":${JSON.stringify(highlights)}}`,
  };
}

/** The members of a JSON array of them. */
export function writeTimed(items: readonly TimedJson[], now: Date): string {
  let text = "";
  for (const { checkedAt, beforeAge, afterAge } of items) {
    if (text !== "") text += ",";
    text += beforeAge;
    if (afterAge !== null) text += ageSeconds({ checkedAt }, now) + afterAge;
  }
  return text;
}

/** Kept as long as somebody keeps the record. */
const wholes = new WeakMap<ProductRecord, TimedJson>();

function wholeOf(record: ProductRecord, now: Date): TimedJson {
  let whole = wholes.get(record);
  if (!whole) {
    whole = cutAtAge(record, JSON.stringify(toUnaged(record, now)));
    wholes.set(record, whole);
  }
  return whole;
}

function toUnaged(record: ProductRecord, now: Date) {
  return { ...toProduct(record, now), age_s: 0 };
}

function cutAtAge({ checkedAt }: ProductRecord, json: string): TimedJson {
  // Nothing else looks like this member: quotes inside of texts are escaped.
  const [before = "", afterAge] = json.split('"age_s":0');
  if (afterAge === undefined) return { checkedAt, beforeAge: json, afterAge: null };
  return { checkedAt, beforeAge: `${before}"age_s":`, afterAge };
}

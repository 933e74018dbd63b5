import type { Market } from "../../catalog/market.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import type { FoundProduct } from "./found-products.ts";
import type { FoundProductBody } from "./product-schema.ts";
import { ageSeconds, toProduct } from "./to-product.ts";

/** The part of an item that belongs to this search; the product is the same in all answers. */
export interface ItemExtra {
  itemId: number;
  offers?: NonNullable<FoundProduct["offers"]>;
  match: Pick<FoundProductBody, "match" | "missing_words">;
  highlights: FoundProduct["highlights"];
  /** The same as JSON. */
  json: string;
}

export function toItemExtra(found: FoundProduct): ItemExtra {
  const { record, offers, highlights, missingWords } = found;
  const match =
    missingWords.length === 0
      ? { match: "all" as const }
      : { match: "partial" as const, missing_words: [...missingWords] };
  const members = { ...(offers === undefined ? {} : { offers }), ...match, highlights };
  return {
    itemId: record.itemId,
    ...(offers === undefined ? {} : { offers }),
    match,
    highlights,
    json: JSON.stringify(members).slice(1),
  };
}

/** An item as JSON. `fields`: the members besides item_id; empty for all. */
export function writeItem(
  record: ProductRecord,
  extra: ItemExtra,
  fields: readonly string[],
  market: Market,
  now: Date,
): string {
  if (fields.length === 0) {
    const { beforeAge, afterAge } = wholeOf(record, market, now);
    return `${beforeAge}${ageSeconds(record, now)}${afterAge},${extra.json}`;
  }
  const { offers, highlights, match } = extra;
  const whole = {
    ...toProduct(record, market, now),
    ...(offers ? { offers } : {}),
    ...match,
    highlights,
  };
  const kept = new Set(["item_id", ...fields]);
  const members = Object.entries(whole).filter(([name]) => kept.has(name));
  return JSON.stringify(Object.fromEntries(members));
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
    const json = JSON.stringify({ ...toProduct(record, market, now), age_s: 0 });
    // Unique in the JSON, because quotes inside texts are escaped.
    const [before = "", after = ""] = json.split('"age_s":0');
    whole = { beforeAge: `${before}"age_s":`, afterAge: after.slice(0, -1) };
    wholes.set(record, whole);
  }
  return whole;
}

import type { ProductRecord } from "../catalog/products.ts";
import type { FoundProduct } from "./found-products.ts";
import type { FoundProductBody } from "./product-schema.ts";
import { toProduct } from "./to-product.ts";

/** One item; `fields`: its members besides item_id, empty for all. */
export function toFoundBody(
  found: FoundProduct,
  fields: readonly string[],
  now: Date,
): Partial<FoundProductBody> {
  const { record, offers, highlights } = found;
  const whole = { ...toProduct(record, now), ...(offers ? { offers } : {}), highlights };
  if (fields.length === 0) return whole;
  const kept = new Set(["item_id", ...fields]);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => kept.has(name)));
}

/** A product as JSON, around the one number that changes by itself. */
interface Pieces {
  beforeAge: string;
  /** Without the closing brace. */
  afterAge: string;
}

/** Kept as long as somebody keeps the record. */
const piecesOf = new WeakMap<ProductRecord, Pieces>();

/** The JSON of `toFoundBody` of all fields, most of it written once a record. */
export function toFoundJson(found: FoundProduct, now: Date): string {
  const { record, offers, highlights } = found;
  let pieces = piecesOf.get(record);
  if (!pieces) {
    pieces = toPieces(record, now);
    piecesOf.set(record, pieces);
  }
  const group = offers === undefined ? "" : `,"offers":${JSON.stringify(offers)}`;
  return `${pieces.beforeAge}${found.ageSeconds}${pieces.afterAge}${group},"highlights":${JSON.stringify(highlights)}}`;
}

function toPieces(record: ProductRecord, now: Date): Pieces {
  const json = JSON.stringify({ ...toProduct(record, now), age_s: 0 });
  // Nothing else looks like this member: quotes inside of texts are escaped.
  const [beforeAge = "", afterAge = ""] = json.split('"age_s":0');
  return { beforeAge: `${beforeAge}"age_s":`, afterAge: afterAge.slice(0, -1) };
}

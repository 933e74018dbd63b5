import { sql } from "drizzle-orm";
import type { productAttribute } from "../db/schema.ts";

/** What a product's title tells, in lower case; null or empty: it says nothing of it, or not clearly. */
export type ProductAttributes = Pick<
  typeof productAttribute.$inferSelect,
  "quantity" | "unit" | "pack" | "models" | "colours" | "size" | "condition" | "edition"
>;

/** `graded` of `graded 9.5`: what conditions are filtered by. */
export function toConditionKind(condition: string | null): string | null {
  return condition?.split(" ", 1)[0] ?? null;
}

/** Those that no title calls used, refurbished, opened or graded; where every one is called so, all of them. */
export function newOffersOf<T extends { condition: string | null }>(
  offers: readonly T[],
): readonly T[] {
  const unused = offers.filter(({ condition }) => condition === null);
  return unused.length > 0 ? unused : offers;
}

/** What the lowest price is of: the new ones of those in stock, or of all if none is. */
export function comparedOf<T extends { condition: string | null; in_stock: boolean }>(
  offers: readonly T[],
): readonly T[] {
  return newOffersOf(availableOf(offers));
}

/** Those in stock, or all if none is. */
export function availableOf<T extends { in_stock: boolean }>(offers: readonly T[]): readonly T[] {
  const available = offers.filter((offer) => offer.in_stock);
  return available.length > 0 ? available : offers;
}

/** The row `t` of `product_attribute` as JSON; null if there is none: the title was not read yet. */
export const attributesSql = sql`case when t.item_id is not null then json_build_object('quantity', t.quantity,
  'unit', t.unit, 'pack', t.pack, 'models', t.models, 'colours', t.colours, 'size', t.size,
  'condition', t.condition, 'edition', t.edition) end as attributes`;

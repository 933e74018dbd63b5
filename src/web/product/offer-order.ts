import type { OffersBody } from "../../api/products/offer-schema.ts";
import { rankOf } from "../../catalog/unit-price/unit-price.ts";

type Offer = OffersBody["offers"][number];

/** `price`: as the API has them, the cheapest in stock first. `checked`: the last confirmed first. */
export const offerOrders = ["price", "unit_price", "checked"] as const;
export type OfferOrder = (typeof offerOrders)[number];

/** The order that the address names; anything else is the usual order. */
export function toOfferOrder(text: string | undefined): OfferOrder {
  return offerOrders.find((known) => known === text) ?? "price";
}

/** Ordered by the price of a unit; offers in stock come first, and offers without such a price last. */
export function inOrder(offers: readonly Offer[], order: OfferOrder): readonly Offer[] {
  if (order === "price") return offers;
  if (order === "checked") return offers.toSorted((a, b) => a.age_s - b.age_s);
  return offers.toSorted(
    (a, b) => Number(b.in_stock) - Number(a.in_stock) || compareUnitPrices(a, b),
  );
}

/** Prices of grams, millilitres and pieces cannot be compared: they stand one kind after the other. */
const units = ["g", "ml", "piece"] as const;

function compareUnitPrices(a: Offer, b: Offer): number {
  const [one, other] = [a.unit_price?.quantity, b.unit_price?.quantity];
  if (!one || !other) return Number(!one) - Number(!other);
  return (
    units.indexOf(one.unit) - units.indexOf(other.unit) ||
    rankOf(a.price, one) - rankOf(b.price, other)
  );
}
